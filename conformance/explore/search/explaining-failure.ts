import { canExplain } from '../causes/changes.js';
import type { Failure } from '../types.js';

/** Scenarios in which a failure is minimized: it takes many runs each time. */
const MOST_SCENARIOS = 3;
/** Failures of one rule, and of all, that are minimized and reported with their run. */
const MOST_OF_RULE = 20;
const MOST_FAILURES = 100;

/**
 * The known failure that explains a schedule with these changes: same rule and wait, same scenario, and no additional change. After
 * enough scenarios have shown it, the scenario is ignored.
 */
export function findExplainingFailure(
  failures: readonly Failure[],
  { rule, wait, scenario, changes }: Pick<Failure, 'rule' | 'wait' | 'scenario' | 'changes'>,
): Failure | undefined {
  const like = failures.filter((each) => each.rule === rule && each.wait === wait);
  const own = like.find(
    (each) => each.scenario === scenario && each.changes.every((change) => changes.includes(change)),
  );
  if (own) return own;
  const others = like.filter((each) => canExplain(each.changes, changes));
  if (others.length >= MOST_SCENARIOS) return others[0];
  return like.length >= MOST_OF_RULE || failures.length >= MOST_FAILURES ? (others[0] ?? like[0]) : undefined;
}
