import { createRandom } from '../../../mock/generate/random.js';
import { findLacking } from '../../../scenarios/format/needs.js';
import type { Scenario } from '../../../scenarios/format/types.js';
import { drawPlan } from './draw-plan.js';
import type { ConversationPlan } from './plan.js';
import { toScenario } from './plan-to-scenario.js';

/** A generated conversation. Its plan can be minimized. */
export interface GeneratedScenario {
  plan: ConversationPlan;
  scenario: Scenario;
}

/** Name of a generated scenario: `generated/1-17` is number 17 of seed 1. */
function formatGeneratedName(seed: number, number: number): string {
  return `generated/${seed}-${number}`;
}

/** Conversation `number`, from 1, of this seed: always the same. */
export function generateConversation(seed: number, number: number): GeneratedScenario {
  const random = createRandom(seed).fork(`conversation ${number}`);
  // Each seed starts at another position of the rotating features.
  const plan = drawPlan(random, number + (Math.abs(seed - 1) % 10_000) * 7);
  return { plan, scenario: toScenario(plan, formatGeneratedName(seed, number)) };
}

/** Unsuitable conversations in a row after which the search for a suitable one ends. */
const MOST_PASSED_OVER = 1000;

/** The conversations of a seed by number, without those that need what the client `lacks`. */
export function* generateConversations(
  seed: number,
  lacks: readonly string[] = [],
): Generator<GeneratedScenario> {
  for (let number = 1, last = 0; number - last <= MOST_PASSED_OVER; number++) {
    const drawn = generateConversation(seed, number);
    if (findLacking(drawn.scenario, lacks) !== undefined) continue;
    last = number;
    yield drawn;
  }
}

export function generateScenario(seed: number, number = 1): Scenario {
  return generateConversation(seed, number).scenario;
}

/** The conversation with this name; undefined for any other name. */
export function findGeneratedConversation(name: string): GeneratedScenario | undefined {
  const [, seed, number] = /^generated\/(\d{1,15})-([1-9]\d{0,8})$/.exec(name) ?? [];
  return number === undefined ? undefined : generateConversation(Number(seed), Number(number));
}
