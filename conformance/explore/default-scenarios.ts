import { join } from 'node:path';
import { loadLibrary } from '../../scenarios/format/library/library.js';
import { packageRoot } from '../../scenarios/format/library/package-root.js';
import { loadScenarios } from '../../scenarios/format/load/load.js';
import type { Scenario } from '../../scenarios/format/types.js';

/**
 * Two scenarios of the library and those of the folder beside this file. Together they have everything that a client has
 * to do, and hardly anything twice: how many pairs of deviations there are grows with the square of a scenario's length.
 * The default number of schedules holds all pairs, for a client that polls at once and then every half second.
 */
const DEFAULT_SCENARIOS = [
  'tool-calls/one-call',
  'sessions/closed-after-an-action',
  'sessions/ended-by-the-service',
  'tool-calls/two-calls',
  'sessions/work-with-a-tool',
  'polling/one-shot',
];

/** Those that a search has beside the library. */
export async function ownScenarios(): Promise<Scenario[]> {
  return (await loadScenarios([join(packageRoot(), 'conformance/explore/scenarios')])).scenarios;
}

/** What is explored unless something else is asked for. */
export async function defaultScenarios(): Promise<Scenario[]> {
  const all = new Map([...(await loadLibrary()), ...(await ownScenarios())].map((each) => [each.name, each]));
  return DEFAULT_SCENARIOS.map((name) => all.get(name)!);
}
