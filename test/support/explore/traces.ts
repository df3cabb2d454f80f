import type { TraceEntry } from '../../../mock/network/tracer.js';
import type { RuleTarget } from '../../../scenarios/verbs/target.js';

/**
 * Parses a trace, one entry per line: `service tool_call c1`, `arrive poll#2`, `response poll#2 202 [c1]`, `response poll#2 lost`. The
 * last word is the id of the step.
 */
export function parseTrace(...lines: string[]): TraceEntry[] {
  const seqs = new Map<string, number>();
  return lines.map((line, index): TraceEntry => {
    const at = 1000 + 10 * index;
    const [what, ...rest] = line.split(' ');
    if (what === 'service')
      return { at, what: 'step', name: rest.join(' '), step: rest.at(-1)!, task: 'task-1' };
    const end = rest.findIndex((word) => word.includes('#'));
    const name = rest.slice(0, end + 1).join(' ');
    const kind = name.replace(/[ #].*$/, '');
    if (what === 'arrive') {
      const seq = seqs.size + 1;
      seqs.set(name, seq);
      return { at, what, name, kind, ...parseTarget(name), task: kind === 'create' ? undefined : 1, seq };
    }
    const [status, ...events] = rest.slice(end + 1);
    return {
      at,
      what: 'response',
      name,
      kind,
      status: status === 'lost' ? 0 : Number(status),
      events: events.join(' ').replace(/[[\]]/g, '').split(', ').filter(Boolean),
      seq: seqs.get(name)!,
    };
  });
}

function parseTarget(name: string): { of: RuleTarget; skip: number } {
  const [, kind, label, n] = /^(\w+) ?(\S*)#(\d+)$/.exec(name)!;
  if (label === '') return { of: { [kind!]: Number(n) }, skip: 0 };
  return { of: { [kind!]: label }, skip: Number(n) - 1 };
}
