import type { ListedRule } from '../../mock/network/rule-book.js';
import { isCreateTarget } from '../../scenarios/format/network/target.js';

/**
 * The rules that a list shows: those that were set by hand, used up or not, and of timelines those that can still act. A rule that
 * several organisations have is one, with the hits of all.
 *
 * @param isActive Whether a task is not over. A rule about creates outlives it: it is about those of the organisation.
 */
export function listShownRules(
  rules: readonly ListedRule[],
  isActive: (task: string) => boolean,
): ListedRule[] {
  const shown = new Map<string, ListedRule>();
  const canAct = ({ state, task, rule }: ListedRule) =>
    state === 'live' && (isCreateTarget(rule.of) || isActive(task!));
  for (const each of rules.filter((rule) => rule.task === undefined || canAct(rule))) {
    const key = formatRuleKey(each);
    const other = shown.get(key);
    shown.set(key, other ? mergeRules(other, each) : each);
  }
  return [...shown.values()];
}

/** Several organisations have a rule if its id and all else in it is the same. */
export function formatRuleKey({ id, rule }: ListedRule): string {
  return `${id} ${JSON.stringify(rule)}`;
}

function mergeRules(one: ListedRule, other: ListedRule): ListedRule {
  return {
    ...one,
    state: one.state === 'live' ? 'live' : other.state,
    fired: one.fired + other.fired,
    waiting: one.waiting + other.waiting,
  };
}
