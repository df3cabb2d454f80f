import { type GeneratedScenario, generateConversations } from '../client/generate/generate-scenario.js';
import type { GivenScenarios } from '../client/run/client-options.js';

/** Scenario name that is expanded to scenarios drawn by the seed of the search. */
export const GENERATED = 'generated';

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
