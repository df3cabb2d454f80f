import { createRandom } from '../../../mock/generate/random.js';
import { findLacking } from '../../../scenarios/format/needs.js';
import type { Scenario } from '../../../scenarios/format/types.js';
import { drawPlan } from './draw-plan.js';
import type { ConversationPlan } from './plan.js';
import { toScenario } from './plan-to-scenario.js';

/** A generated conversation: its plan can be shrunk. */
export interface GeneratedScenario {
  plan: ConversationPlan;
  scenario: Scenario;
}

/** Name of a generated scenario: `generated/1-17` is number 17 of seed 1. */
export function formatGeneratedName(seed: number, number: number): string {
  return `generated/${seed}-${number}`;
}

/** The conversation with this number, from 1, of this seed: always the same. */
export function generateConversation(seed: number, number: number): GeneratedScenario {
  const random = createRandom(seed).fork(`conversation ${number}`);
  // Each seed begins elsewhere in what takes turns.
  const plan = drawPlan(random, number + (Math.abs(seed - 1) % 10_000) * 7);
  return { plan, scenario: toScenario(plan, formatGeneratedName(seed, number)) };
}

/** Conversations in a row that may need what is lacking, before none is looked for any more. */
const MOST_PASSED_OVER = 1000;

/** The conversations of a seed by their numbers, without those that need what a client `lacks`. Ends where none is left. */
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

/** The scenario alone. */
export function generateScenario(seed: number, number = 1): Scenario {
  return generateConversation(seed, number).scenario;
}

/** The conversation with this name; undefined for any other name. */
export function findGeneratedConversation(name: string): GeneratedScenario | undefined {
  const [, seed, number] = /^generated\/(\d{1,15})-([1-9]\d{0,8})$/.exec(name) ?? [];
  return number === undefined ? undefined : generateConversation(Number(seed), Number(number));
}
