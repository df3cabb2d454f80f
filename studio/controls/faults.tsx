import { useEffect, useState } from 'preact/hooks';
import type { ListedRule } from '../../mock/network/rule-book.js';
import { isActive } from '../../spec/vocabulary.js';
import { admin } from '../live/admin-client.js';
import { clocks, rules, tasks } from '../live/live-state.js';
import { Button, Group, outcome, perform } from './control-parts.js';
import { describeRule } from './describe-rule.js';
import { FaultForm } from './fault-form/fault-form.js';
import { PRESETS } from './presets.js';
import { formatRuleKey, listShownRules } from './shown-rules.js';

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

/** While no organisation is open, the rules that the first one starts with. */
function useInitialRules(): ListedRule[] {
  const [initialRules, setInitialRules] = useState<ListedRule[]>([]);
  const isEmpty = clocks.value.size === 0;
  // Each change of a rule has an outcome.
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
