import type { TraceEntry } from '../../../mock/network/trace.js';
import { drawMermaid, type SequenceLine } from '../../../scenarios/format/sequence-diagram.js';
import type { Exchange } from '../../../spec/vocabulary.js';
import { repeatedEmptyPolls } from '../schedule/traced-run.js';

/** Lines of a diagram at most: beyond it nobody can read it. */
const MOST_LINES = 150;

/** A run as a Mermaid sequence diagram: what reached the service when, what it answered, what the network did. */
export function drawRun(trace: readonly TraceEntry[], exchanges: readonly Exchange[]): string {
  const lines = linesOf(trace, exchanges);
  const shown = lines.slice(0, MOST_LINES);
  const left = lines.length - shown.length;
  if (left > 0) shown.push({ kind: 'note', over: 'both', text: `and ${left} things more` });
  return drawMermaid(shown).trimEnd();
}

function linesOf(trace: readonly TraceEntry[], exchanges: readonly Exchange[]): SequenceLine[] {
  const repeated = repeatedEmptyPolls(trace);
  const network = new Map(exchanges.map(({ seq, network }) => [seq, network ?? []]));
  const lines: SequenceLine[] = [];
  const note = (text: string) => lines.push({ kind: 'note', over: 'both', text });
  let skipped = 0;
  const noteSkipped = () => {
    if (skipped > 0) note(`${skipped} more ${skipped === 1 ? 'poll' : 'polls'} that learnt nothing`);
    skipped = 0;
  };
  for (const entry of trace) {
    if (entry.what !== 'step' && repeated.has(entry.seq)) {
      if (entry.what === 'arrive') skipped++;
      continue;
    }
    noteSkipped();
    const { name } = entry;
    if (entry.what === 'step') lines.push({ kind: 'note', over: 'service', text: name });
    else if (entry.what === 'arrive') lines.push({ kind: 'request', text: name });
    else {
      for (const effect of network.get(entry.seq) ?? []) note(`network: ${name} ${effect.note}`);
      const { status, events } = entry;
      const what = events.length > 0 ? ` with ${events.join(', ')}` : '';
      if (status === 0) lines.push({ kind: 'lost', text: `the response to ${name} is lost` });
      else lines.push({ kind: 'response', text: `${status} to ${name}${what}` });
    }
  }
  noteSkipped();
  return lines;
}
