import { useEffect, useState } from 'preact/hooks';
import type { ListedRule } from '../../../mock/network/rule-book.js';
import type { NetworkRule } from '../../../scenarios/format/types.js';
import { isCreateTarget } from '../../../scenarios/verbs/target.js';
import { toVisible } from '../../../spec/visible.js';
import { isActive } from '../../../spec/vocabulary.js';
import { admin } from '../../live/admin-client.js';
import { clocks, rules, tasks } from '../../live/live-state.js';
import { Button, Group, outcome, perform } from '../control-parts.js';
import { FaultForm } from './fault-form/fault-form.js';

export function Faults({ organisation }: { organisation: string | undefined }) {
  const [text, setText] = useState('');
  const initialRules = useInitialRules();
  const add = async (rule: string, what = `added "${rule}"`) => {
    await perform(what, admin.addRules(organisation, rule));
    return !outcome.value?.isError;
  };
  const submit = async (event: Event) => {
    event.preventDefault();
    if (await add(text)) setText('');
  };
  const all =
    organisation === undefined
      ? [...initialRules, ...[...rules.value.values()].flat()]
      : (rules.value.get(organisation) ?? []);
  const shown = listShownRules(all, (id) => isActive(tasks.value.get(id)?.status ?? ''));
  return (
    <Group title="Faults">
      <div class="presets">
        {PRESETS.map(({ label, rule }) => (
          <Button key={label} label={label} onClick={() => add(rule)} />
        ))}
      </div>
      <FaultForm onAdd={(rule) => add(rule, 'added the fault')} />
      <form class="line" onSubmit={submit}>
        <input
          type="text"
          aria-label="Rule in shorthand"
          placeholder="fail 503 of poll times 2"
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
        <button type="submit" disabled={text.trim() === ''}>
          Add rule
        </button>
      </form>
      <ul class="rules" aria-label="Active rules">
        {shown.map((rule) => (
          <RuleItem key={formatRuleKey(rule)} rule={rule} organisation={organisation} />
        ))}
      </ul>
      {shown.length > 1 && (
        <Button
          label="Remove all rules"
          onClick={() => perform('removed all rules', admin.removeRule(organisation))}
        />
      )}
    </Group>
  );
}

/** The rules that a new organisation starts with, while no organisation exists. */
function useInitialRules(): ListedRule[] {
  const [initialRules, setInitialRules] = useState<ListedRule[]>([]);
  const isEmpty = clocks.value.size === 0;
  // `outcome` changes with each change of a rule.
  useEffect(() => {
    if (!isEmpty) return setInitialRules([]);
    const unused = { state: 'live', fired: 0, passed: 0, waiting: 0, gave_up: 0 } as const;
    admin.fetchInitialRules().then(
      (all) => setInitialRules(all.map((each) => ({ ...each, ...unused }))),
      () => {},
    );
  }, [isEmpty, outcome.value]);
  return initialRules;
}

function RuleItem({
  rule: { id, rule, state, fired, waiting },
  organisation,
}: {
  rule: ListedRule;
  organisation: string | undefined;
}) {
  return (
    <li class={state}>
      <code>{describeRule(rule)}</code>
      <span class="soft">
        hit {fired}×{waiting > 0 && `, holds ${waiting}`}
        {state !== 'live' && `, ${state}`}
      </span>
      <button
        type="button"
        class="small"
        aria-label={`Remove ${describeRule(rule)}`}
        onClick={() => perform('removed a rule', admin.removeRule(organisation, id))}
      >
        ✕
      </button>
    </li>
  );
}

/** A fault in one click. `rule`: shorthand of network rules. */
interface Preset {
  label: string;
  rule: string;
}

const PRESETS: readonly Preset[] = [
  { label: 'Fail the next poll with 503', rule: 'fail 503 of poll times 1' },
  { label: 'Drop the response to the next reply', rule: 'drop response of reply times 1' },
  { label: '429 for 5 s', rule: 'fail 429 of any retry_after 5s expires 5s' },
  { label: 'Same event twice', rule: 'redeliver of poll times 1' },
  { label: 'Delay each response by 1 s', rule: 'delay 1s' },
  { label: 'Next response is no JSON', rule: 'garble of any times 1' },
];

/**
 * Rules that were added by hand, also spent ones, and rules of timelines that can still act. A rule that several organisations
 * have is listed once, with the sum of the hits.
 *
 * @param isActive Whether a task is not over. A rule about creates outlives its task: it applies to creates of the organisation.
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

/** Equal for the same rule in several organisations. */
function formatRuleKey({ id, rule }: ListedRule): string {
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
