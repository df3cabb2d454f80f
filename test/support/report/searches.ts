import type { ExploreReport, Find } from '../../../conformance/explore/types.js';
import type { Scenario } from '../../../scenarios/format/types.js';
import { exchange } from './reports.js';

export function scenario(name: string): Scenario {
  return { name, title: name, covers: [], match: 'never', request: { task: 'x' }, timeline: [] };
}

/** A find with two exchanges, the second of which is its evidence. `before`: exchanges of the finds before. */
export function find(
  name: string,
  rule = 'replies/outcome',
  level: 'must' | 'advice' = 'must',
  before = 0,
): Find {
  const exchanges = [before + 1, before + 2].map((seq) => ({ ...exchange({}, {}), seq }));
  return {
    bucket: { key: `${rule} first`, rule, about: 'first', level },
    name: `${rule.replace('/', '-')}-first`,
    scenario: name,
    deviations: [
      { kind: 'response-lost', rule: { network: 'drop', side: 'response', of: { poll: 1 } }, at: 'poll#1' },
    ],
    foundWith: 2,
    schedule: 17,
    seen: 3,
    message: `another outcome in exchange ${before + 2}`,
    evidence: [before + 2],
    seed: 1,
    reproduction: scenario('replies-outcome-first'),
    exchanges,
    trace: [],
    yaml: '',
    markdown: '',
    unsteady: false,
  };
}

export function explored(more: Partial<ExploreReport> = {}): ExploreReport {
  const scenarios = ['tool-calls/one-call', 'mine'];
  return {
    time: 'virtual (in process)',
    seed: 1,
    scenarios,
    progress: {
      schedules: 21,
      distinct: 15,
      unrealised: 2,
      failures: 3,
      finds: 1,
      advice: 0,
      perSecond: 212.4,
      phase: 1,
      elapsedMs: 6000,
      leftMs: 45_000,
    },
    finds: [],
    advice: [],
    known: [],
    unsteady: [],
    repeated: 2,
    coverage: scenarios.flatMap((each) => [
      { scenario: each, deviations: 0, run: 1, of: 1 },
      { scenario: each, deviations: 1, run: 20, of: 40 },
    ]),
    broken: [],
    statement: 'Every schedule with at most 0 deviations.',
    ended: 'schedules',
    durationMs: 6000,
    ...more,
  };
}
