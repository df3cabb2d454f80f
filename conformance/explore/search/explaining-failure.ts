import { canExplain } from '../causes/changes.js';
import type { Failure } from '../types.js';

/** Scenarios in which a failure is shrunk: it takes many runs each time. */
const MOST_SCENARIOS = 3;
/** Failures of one rule, and of all, that are shrunk and reported with their run: a client may differ each time. */
const MOST_OF_RULE = 20;
const MOST_FAILURES = 100;

/**
 * The failure that explains what a schedule with these changes shows: of the same rule and wait, in the same scenario, with no change
 * that the schedule does not have. Once enough scenarios have shown it, any of them.
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
