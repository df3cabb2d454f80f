import { describe, expect, it } from 'vitest';
import type { Exchange, Finding } from '../../../spec/vocabulary.js';
import { parseScenario } from '../../../test/support/explore/scenarios.js';
import { parseTrace } from '../../../test/support/explore/traces.js';
import type { ClientRun } from '../../client/types.js';
import { createRace } from './race.js';

const scenario = parseScenario(`
- network: hold
  id: d1
  of: { poll: 1 }
  side: response
  until: { step: finish }
- service: status
  id: c1
  status: waiting
- network: drop
  id: d2
  of: { poll: true }
  side: response
- service: finish
  id: finish
`);

const finding: Finding = {
  ...{ rule: 'line/tool-runs', requirement: 'POLL-06', side: 'client', level: 'must', evidence: [2] },
  message: 'The tool "compare" ran 2 times for 1 call.',
};

function runOf(names: string[], more: Partial<ClientRun> = {}): ClientRun {
  const trace = parseTrace(...names);
  const exchanges = trace.flatMap((entry): Exchange[] =>
    entry.what === 'arrive'
      ? [
          {
            seq: entry.seq,
            kind: entry.kind,
            organisation: 'client',
            request: { method: 'GET', url: '/', headers: {}, at: entry.at, body: 'x'.repeat(5000) },
          },
        ]
      : [],
  );
  const line = { status: 'done', tool_runs: [{ name: 'compare' }, { name: 'compare' }] };
  return {
    scenario,
    kind: 'function',
    seed: 3,
    end: 'by-itself',
    trace,
    exchanges,
    line,
    durationMs: 900,
    ...more,
  } as ClientRun;
}

describe('a race', () => {
  const names = [
    'arrive create#1',
    'response create#1 200',
    'arrive poll#1',
    'service finish finish',
    'response poll#1 202',
    'arrive poll#2',
    'response poll#2 lost',
  ];
  const bad = runOf(names);
  const answers = bad.trace.flatMap((entry) => (entry.what === 'response' ? [entry] : []));
  Object.assign(answers[1]!, { rules: ['d1'] });
  Object.assign(answers[2]!, { rules: ['d2', 'other'] });
  const race = createRace(
    scenario,
    finding,
    { bad: { run: bad, findings: [finding] }, good: undefined },
    'see',
  );

  it('has the affected exchanges and the position of each deviation', () => {
    expect(race.deviations).toEqual([
      { id: 'd1', text: 'hold response until step finish has happened of poll 1', seqs: [2] },
      { id: 'd2', text: 'drop response of poll, the first after c1', seqs: [3] },
    ]);
  });

  it('has the run line by line: a separate response line if another event precedes it', () => {
    expect(race.bad.lines.map((line) => ('name' in line ? `${line.what} ${line.name}` : line.what))).toEqual([
      'request create 1',
      'request poll 1',
      'step finish finish',
      'response poll 1',
      'request poll 2',
    ]);
  });

  it('has the end of the client and the description of the defect', () => {
    expect(race).toMatchObject({ title: 'The tool ran twice', seed: 3, again: 'see', finding });
    expect(race.bad.end.text).toBe('The client reports done; compare ran 2 times.');
    expect(race.good).toBeUndefined();
  });

  it('is limited: the beginning and the end of a long run, truncated bodies', () => {
    const polls = Array.from({ length: 5000 }, (_, n) => [
      `arrive poll#${n + 1}`,
      `response poll#${n + 1} 202`,
    ]);
    const long = runOf(['arrive create#1', 'response create#1 200', ...polls.flat()], {
      error: 'e'.repeat(999),
    });
    const runs = { bad: { run: long, findings: [] }, good: { run: bad, findings: [] } };
    const { bad: kept, good } = createRace(scenario, finding, runs, 'see');
    expect(kept.lines).toHaveLength(201);
    expect(kept.lines[120]).toEqual({ what: 'left-out', count: 4801 });
    expect(kept.lines.at(-1)).toMatchObject({ name: 'poll 5000' });
    expect(kept.exchanges).toHaveLength(200);
    expect(kept.exchanges[0]!.request).toMatchObject({ left_out: 1000 });
    expect(JSON.stringify(kept).length).toBeLessThan(1_000_000);
    expect(good!.exchanges).toHaveLength(3);
  });
});
