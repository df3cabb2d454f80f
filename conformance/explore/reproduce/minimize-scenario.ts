import { addStepIds } from '../../../scenarios/format/load/step-ids.js';
import { findGeneratedConversation } from '../../client/generate/generate-scenario.js';
import { minimizePlan } from '../../client/generate/minimize-plan.js';
import type { ConversationPlan } from '../../client/generate/plan.js';
import { toScenario } from '../../client/generate/plan-to-scenario.js';
import type { Schedule } from '../types.js';

/**
 * Applies the same deviations to the smallest conversation that still reproduces the failure, in `most` runs at most or until `isOver`.
 * Returns the schedule itself if its scenario is not generated, or cannot be minimized.
 */
export async function minimizeScenario(
  schedule: Schedule,
  isReproduced: (schedule: Schedule) => Promise<boolean>,
  most: number,
  isOver?: () => boolean,
): Promise<Schedule> {
  const { name } = schedule.scenario;
  const generated = findGeneratedConversation(name);
  if (!generated) return schedule;
  const replacePlan = (plan: ConversationPlan) => ({
    ...schedule,
    scenario: addStepIds(toScenario(plan, name)),
  });
  // A scenario file of the caller may have the same name.
  if (!(await isReproduced(replacePlan(generated.plan)))) return schedule;
  const small = await minimizePlan(generated.plan, (plan) => isReproduced(replacePlan(plan)), most, isOver);
  return small === generated.plan ? schedule : replacePlan(small);
}
