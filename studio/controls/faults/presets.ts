import type { NetworkRule } from '../../../scenarios/format/types.js';
import { type FaultScope, type RulePlace, toPlace } from './fault-scope.js';
import { describeRule, type ShownRule } from './rule-list.js';

/** A fault in one click. `rule`: shorthand of a network rule. */
export interface Preset {
  label: string;
  rule: string;
  /** As `describeRule` writes it, without `times`. */
  described: string;
}

export const PRESETS: readonly Preset[] = [
  {
    label: 'Fail the next poll with 503',
    rule: 'fail 503 of poll times 1',
    described: 'fail status 503 of poll',
  },
  {
    label: 'Drop the response to the next reply',
    rule: 'drop response of reply times 1',
    described: 'drop side response of reply',
  },
  {
    label: '429 for 5 s',
    rule: 'fail 429 of any retry_after 5s expires 5s',
    described: 'fail status 429 retry_after 5s expires 5000ms',
  },
  { label: 'Same event twice', rule: 'redeliver of poll times 1', described: 'redeliver of poll' },
  { label: 'Delay each response by 1 s', rule: 'delay 1s', described: 'delay time 1000ms' },
  { label: 'Next response is no JSON', rule: 'garble of any times 1', described: 'garble' },
];

/** The rule that this preset has added to the scope already. */
export function findPresetRule(
  { described }: Preset,
  scope: FaultScope,
  rules: readonly ShownRule[],
): ShownRule | undefined {
  const { task, count }: RulePlace = toPlace(scope);
  return rules.find((each) => {
    const { times: _, ...rest } = each.rule;
    const isInScope = each.task === undefined && each.only_task === task && each.count === count;
    return isInScope && describeRule(rest as NetworkRule) === described;
  });
}

/** What the second click on a preset changes: one hit more, or the rule begins again. Undefined if it acts without end. */
export function repeatRule({
  rule,
  state,
  fired,
}: ShownRule): { rule: object } | { again: true } | { enabled: true } | undefined {
  if (state === 'off') return { enabled: true };
  if (state !== 'live' || rule.expires_ms !== undefined) return { again: true };
  if (rule.times === undefined) return undefined;
  // The counters of the changed rule start at 0.
  return { rule: { ...rule, times: Math.max(0, rule.times - fired) + 1 } };
}
