import { withStepIds } from '../../../scenarios/format/load/step-ids.js';
import { generatedConversation } from '../../client/generate/generate-scenario.js';
import type { ConversationPlan } from '../../client/generate/plan.js';
import { scenarioOf } from '../../client/generate/scenario-of.js';
import { shrinkPlan } from '../../client/generate/shrink-plan.js';
import type { Schedule } from '../types.js';

/**
 * The same deviations in the smallest conversation in which they still show the same (`shows` runs a schedule), after `most`
 * runs at most, or until `isOver`. The schedule itself where its scenario is not a generated one, or cannot be made smaller.
 */
export async function shrinkScenario(
  schedule: Schedule,
  shows: (schedule: Schedule) => Promise<boolean>,
  most: number,
  isOver?: () => boolean,
): Promise<Schedule> {
  const { name } = schedule.scenario;
  const generated = generatedConversation(name);
  if (!generated) return schedule;
  const withPlan = (plan: ConversationPlan) => ({
    ...schedule,
    scenario: withStepIds(scenarioOf(plan, name)),
  });
  // A file of the caller may have the same name.
  if (!(await shows(withPlan(generated.plan)))) return schedule;
  const small = await shrinkPlan(generated.plan, (plan) => shows(withPlan(plan)), most, isOver);
  return small === generated.plan ? schedule : withPlan(small);
}
