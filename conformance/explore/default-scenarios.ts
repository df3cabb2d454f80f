import { join } from 'node:path';
import { loadLibrary } from '../../scenarios/format/library/library.js';
import { findPackageRoot } from '../../scenarios/format/library/package-root.js';
import { loadScenarios } from '../../scenarios/format/load/load.js';
import type { Scenario } from '../../scenarios/format/types.js';

/**
 * Two library scenarios and those in the folder next to this file. Together they cover everything that a client has to do with little
 * overlap: the number of pairs of deviations grows with the square of a scenario's length. The default number of schedules covers all
 * pairs for a client that polls at once and then every half second.
 */
const DEFAULT_SCENARIOS = [
  'tool-calls/one-call',
  'sessions/closed-after-an-action',
  'sessions/ended-by-the-service',
  'tool-calls/two-calls',
  'sessions/work-with-a-tool',
  'polling/one-shot',
];

/** Rare situations. Each is explored with one deviation at most, which keeps the search short. */
const RARE_SCENARIOS = [
  'races/unknown-tool',
  'races/odd-result-code',
  'races/result-with-terminal',
  'races/terminal-without-result',
  'races/close-against-run-task',
  'tool-calls/repeated-reply-refused',
  'auth/key-withdrawn',
  'resources/late-live-url',
];
const MOST_OF_RARE = 1;

/** Scenarios of the search that are not in the library. */
export async function loadOwnScenarios(): Promise<Scenario[]> {
  return (await loadScenarios([join(findPackageRoot(), 'conformance/explore/scenarios')])).scenarios;
}

export async function loadDefaultScenarios(): Promise<Scenario[]> {
  const all = new Map(
    [...(await loadLibrary()), ...(await loadOwnScenarios())].map((each) => [each.name, each]),
  );
  return [...DEFAULT_SCENARIOS, ...RARE_SCENARIOS].map((name) => all.get(name)!);
}

/** The most deviations of a scenario in the default search. `most`: the limit of the other scenarios. */
export function limitDeviations({ name }: Scenario, most: number): number {
  return RARE_SCENARIOS.includes(name) ? Math.min(most, MOST_OF_RARE) : most;
}
