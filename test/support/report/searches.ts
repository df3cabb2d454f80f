import { groupCauses } from '../../../conformance/explore/causes/causes.js';
import type { ExploreReport, Failure } from '../../../conformance/explore/types.js';
import type { Scenario } from '../../../scenarios/format/types.js';
import { createExchange } from './reports.js';

export function createScenario(name: string): Scenario {
  return { name, title: name, covers: [], match: 'never', request: { task: 'x' }, timeline: [] };
}

/** A failure with two exchanges; the second is its evidence. `before`: exchanges of earlier failures. */
export function createFailure(
  name: string,
  rule = 'replies/outcome',
  level: 'must' | 'advice' = 'must',
  before = 0,
): Failure {
  const exchanges = [before + 1, before + 2].map((seq) => ({ ...createExchange({}, {}), seq }));
  return {
    key: `${rule} first`,
    rule,
    requirement: 'TOOL-06',
    side: 'client',
    about: 'first',
    level,
    name: `${rule.replace('/', '-')}-first`,
    scenario: name,
    deviations: [
      { kind: 'response-lost', rule: { network: 'drop', side: 'response', of: { poll: 1 } }, at: 'poll#1' },
    ],
    foundWith: 2,
    wait: undefined,
    changes: ['no response poll'],
    reported: undefined,
    schedule: 17,
    foundAtMs: 1900,
    seen: 3,
    seenUnchanged: 0,
    place: [2, 17, 17],
    foundChanges: ['no response poll', 'time'],
    scenarios: [name],
    timeline: ['0 ms  → create 1 ← 200'],
    message: `another outcome in exchange ${before + 2}`,
    evidence: [before + 2],
    exchanges,
    yaml: '',
    markdown: '',
    isNondeterministic: false,
  };
}

export function createExploreReport(more: Partial<ExploreReport> = {}): ExploreReport {
  const { failures = [] } = more;
  const scenarios = ['tool-calls/one-call', 'mine'];
  return {
    time: 'virtual (in process)',
    seed: 1,
    scenarios,
    progress: {
      schedules: 21,
      distinct: 15,
      notTriggered: 2,
      failing: 3,
      perSecond: 212.4,
      phase: 1,
      elapsedMs: 6000,
      leftMs: 45_000,
    },
    failures,
    causes: groupCauses(failures),
    advice: [],
    known: [],
    nondeterministic: [],
    repeated: 2,
    ...{ deviations: 1, walked: 0, longest: 5 },
    coverage: scenarios.flatMap((each) => [
      { scenario: each, deviations: 0, run: 1, of: 1, queued: 1, ours: 1, expanded: 1, notTriggered: 0 },
      { scenario: each, deviations: 1, run: 20, of: 40, queued: 40, ours: 40, expanded: 20, notTriggered: 2 },
    ]),
    broken: [],
    statement: 'Every schedule with at most 0 deviations.',
    ended: 'schedules',
    durationMs: 6000,
    ...more,
  };
}
