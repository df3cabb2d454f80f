import { join } from 'node:path';
import { loadLibrary } from '../../scenarios/format/library/library.js';
import { findPackageRoot } from '../../scenarios/format/library/package-root.js';
import { loadScenarios } from '../../scenarios/format/load/load.js';
import type { Scenario } from '../../scenarios/format/types.js';
import { type GeneratedScenario, generateConversations } from '../client/generate/generate-scenario.js';
import { type GivenScenarios, resolveScenarios } from '../client/run/client-options.js';
import { loadPairs } from '../client/run/pairs.js';

/** Two jobs at the same time, whose calls are of one tool. Only the second job has deviations. */
const PAIR = 'tool-calls/one-call with sessions/run-task-with-tools';

/**
 * Library scenarios and those in the folder next to this file: the smallest set that finds everything that was measured, see
 * `test/independent/`. Every pair of deviations is explored for these few. The number of pairs grows with the square of a scenario's length.
 * They take half of the default number of schedules, for a client that polls at once and then every half second.
 */
const DEFAULT_SCENARIOS = [
  'tool-calls/two-calls',
  'sessions/ended-by-the-service',
  'races/close-against-run-task',
];

/** Each is explored with one deviation at most, and with more where a random walk takes it. */
const RARE_SCENARIOS = [
  'races/unknown-tool',
  'races/odd-result-code',
  'races/terminal-without-result',
  'races/cancel-during-tool',
  'auth/key-withdrawn',
  'resources/late-live-url',
  'tool-calls/serial-calls',
  'sessions/call-beside-a-result',
  'cancels/around-the-end',
  'cancels/during-calls',
  'cancels/during-actions',
  PAIR,
];
const MOST_OF_RARE = 1;

/** Scenarios of the search that are not in the library. */
async function loadOwnScenarios(): Promise<Scenario[]> {
  const { scenarios } = await loadScenarios([join(findPackageRoot(), 'conformance/explore/scenarios')]);
  return [...scenarios, ...(await loadPairs())];
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

/** Resolves what the caller names: the search has scenarios of its own, and `generated` ones of its seed. Throws UnknownName and InvalidFile. */
export async function resolveExploredScenarios(
  given: GivenScenarios,
  seed: number,
  lacks?: readonly string[],
): Promise<Scenario[]> {
  return resolveScenarios(expandGenerated(given, seed, lacks), await loadOwnScenarios());
}

/** Scenario name that is expanded to scenarios drawn by the seed of the search. */
const GENERATED = 'generated';

/** Number of scenarios for `generated`. */
const DRAWN = 20;
/** The number of pairs of deviations grows with the square of the length, the duration of a run with the values. */
const STEPS: readonly [least: number, most: number] = [2, 20];
const MOST_CHARACTERS = 5000;

/** Expands `generated` to the names of generated scenarios. */
export function expandGenerated(
  given: GivenScenarios,
  seed: number,
  lacks: readonly string[] = [],
): GivenScenarios {
  return given.flatMap((each) => (each === GENERATED ? drawNames(seed, lacks) : [each]));
}

/** The first generated conversations that are short and have no refusals: the search adds those. */
function drawNames(seed: number, lacks: readonly string[]): string[] {
  const names: string[] = [];
  for (const drawn of generateConversations(seed, lacks)) {
    if (isSuitable(drawn)) names.push(drawn.scenario.name);
    if (names.length === DRAWN) break;
  }
  return names;
}

function isSuitable({ plan, scenario }: GeneratedScenario): boolean {
  const [least, most] = STEPS;
  const { length } = scenario.timeline;
  return (
    length >= least &&
    length <= most &&
    JSON.stringify(scenario).length <= MOST_CHARACTERS &&
    plan.network.every(({ network }) => network !== 'fail')
  );
}
