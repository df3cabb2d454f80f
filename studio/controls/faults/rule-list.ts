import type { ListedRule } from '../../../mock/network/rule-book.js';
import type { NetworkRule } from '../../../scenarios/format/types.js';
import { isCreateTarget } from '../../../scenarios/verbs/target.js';
import { toVisible } from '../../../spec/visible.js';

/** A rule of the list, with the organisations that have it; none: every organisation will. */
export type ShownRule = ListedRule & { organisations: readonly string[] };

/**
 * Rules that were added by hand, also spent ones, and rules of timelines that can still act. A rule that several organisations
 * have is listed once, with the sum of the hits.
 *
 * @param isActive Whether a task is not over. A rule about creates outlives its task: it applies to creates of the organisation.
 */
export function listShownRules(
  byOrganisation: ReadonlyMap<string, readonly ListedRule[]>,
  isActive: (task: string) => boolean,
): ShownRule[] {
  const shown = new Map<string, ShownRule>();
  const canAct = ({ state, task, rule }: ListedRule) =>
    state === 'live' && (isCreateTarget(rule.of) || isActive(task!));
  for (const [organisation, rules] of byOrganisation)
    for (const each of rules.filter((rule) => rule.task === undefined || canAct(rule))) {
      const key = formatRuleKey(each);
      const one = { ...each, organisations: [organisation] };
      const other = shown.get(key);
      shown.set(key, other ? mergeRules(other, one) : one);
    }
  return [...shown.values()];
}

/** Equal for the same rule in several organisations. */
export function formatRuleKey({ id, rule }: ListedRule): string {
  return `${id} ${JSON.stringify(rule)}`;
}

function mergeRules(one: ShownRule, other: ShownRule): ShownRule {
  return {
    ...one,
    state: one.state === 'live' ? 'live' : other.state,
    fired: one.fired + other.fired,
    waiting: one.waiting + other.waiting,
    organisations: [...one.organisations, ...other.organisations],
  };
}

/** Similar to the shorthand: `fail status 503 of poll times 1`. */
export function describeRule({ network, ...fields }: NetworkRule): string {
  const parts = Object.entries(fields).flatMap(([name, value]) => {
    // The position in a scenario.
    if (value === undefined || name === 'id' || name === 'line') return [];
    const unit = /_(ms|s)$/.exec(name)?.[1] ?? '';
    const label = name.replace(/_(ms|s)$/, '');
    return [`${label} ${describeValue(value)}${unit}`];
  });
  return toVisible([network, ...parts].join(' '), 200);
}

function describeValue(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.entries(value)
    .map(([name, inner]) => (inner === true ? name : `${name} ${describeValue(inner)}`))
    .join(' ');
}
