import { useEffect, useRef, useState } from 'preact/hooks';
import type { ListedRule } from '../../../mock/network/rule-book.js';
import { isActive } from '../../../spec/vocabulary.js';
import { admin } from '../../live/admin-client.js';
import { clocks, rules, tasks } from '../../live/live-state.js';
import { selectedTask } from '../../selection.js';
import { Button, Group, outcome, perform } from '../control-parts.js';
import { FaultForm } from './fault-form/fault-form.js';
import { chooseScope, chosenScope, type FaultScope, listScopes, toPlace } from './fault-scope.js';
import { findPresetRule, PRESETS, type Preset, repeatRule } from './presets.js';
import { listPlaces, RuleItem } from './rule-item.js';
import { formatRuleKey, listShownRules, type ShownRule } from './rule-list.js';

export function Faults({ organisation }: { organisation: string | undefined }) {
  const [text, setText] = useState('');
  const initialRules = useInitialRules();
  const task = organisation === undefined ? undefined : selectedTask.value;
  const scopes = listScopes(organisation, task);
  const scope = chooseScope(scopes);
  const add = (rule: string, what = `added "${rule}"`) => perform(what, admin.addRules(toPlace(scope), rule));
  const submit = async (event: Event) => {
    event.preventDefault();
    if (text.trim() !== '' && (await add(text))) setText('');
  };
  const shown = [...initialRules, ...listRulesOf(organisation)];
  // A second click before the rule of the first one is listed adds none.
  const added = useRef<Preset | undefined>(undefined);
  useEffect(() => {
    added.current = undefined;
  }, [rules.value, initialRules]);
  const addPreset = async (preset: Preset) => {
    if (added.current === preset) return;
    added.current = preset;
    if (!(await add(preset.rule))) added.current = undefined;
  };
  const movable = shown.filter((each) => each.task === undefined).map(({ id }) => id);
  return (
    <Group title="Faults" docs={['build-a-client', 'simulate-network-faults']}>
      <label class="field">
        <span>new faults</span>
        <select
          aria-label="Scope of new faults"
          value={scope.kind}
          onChange={({ currentTarget: { value } }) => {
            chosenScope.value = value as FaultScope['kind'];
          }}
        >
          {scopes.map((each) => (
            <option key={each.scope.kind} value={each.scope.kind}>
              {each.label}
            </option>
          ))}
        </select>
      </label>
      <div class="presets">
        {PRESETS.map((preset) => (
          <Button
            key={preset.label}
            label={preset.label}
            onClick={() => applyPreset(preset, scope, shown, addPreset)}
          />
        ))}
      </div>
      <details class="fault-form">
        <summary>Any fault</summary>
        <FaultForm onSave={(rule) => add(JSON.stringify([rule]), 'added the fault')} />
      </details>
      <form class="line" onSubmit={submit}>
        <input
          type="text"
          aria-label="Rule in shorthand"
          placeholder="fail 503 of poll times 2"
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
        <Button
          label="Add rule"
          problem={text.trim() === '' ? 'Enter a rule: fail 503 of poll times 2.' : undefined}
          onClick={() => void add(text).then((isAdded) => isAdded && setText(''))}
        />
      </form>
      <ul class="rules" aria-label="Active rules">
        {shown.map((rule) => {
          const at = movable.indexOf(rule.id);
          return (
            <RuleItem
              key={formatRuleKey(rule)}
              rule={rule}
              organisation={organisation}
              previous={movable[at - 1]}
              next={at === -1 ? undefined : movable[at + 1]}
            />
          );
        })}
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

/** A preset is one rule: the second click lets it act once more, or begin again. */
function applyPreset(
  preset: Preset,
  scope: FaultScope,
  rules: readonly ShownRule[],
  add: (preset: Preset) => Promise<void>,
): void {
  const known = findPresetRule(preset, scope, rules);
  const change = known && repeatRule(known);
  if (!known) void add(preset);
  else if (!change) outcome.value = { text: `"${preset.rule}" is on already`, isError: false };
  else {
    const times = 'rule' in change ? (change.rule as { times: number }).times : undefined;
    const what = times === undefined ? 'the rule begins again' : `the rule acts ${times} times from now on`;
    const places = listPlaces(known, 'organisation' in scope ? scope.organisation : undefined);
    void perform(what, Promise.all(places.map((place) => admin.changeRule(place, known.id, change))));
  }
}

function listRulesOf(organisation: string | undefined): ShownRule[] {
  const all = rules.value;
  const selected = organisation === undefined ? all : new Map([[organisation, all.get(organisation) ?? []]]);
  return listShownRules(selected, (id) => isActive(tasks.value.get(id)?.status ?? ''));
}

/** The rules that a new organisation starts with, while no organisation exists. */
function useInitialRules(): ShownRule[] {
  const [initialRules, setInitialRules] = useState<ShownRule[]>([]);
  const isEmpty = clocks.value.size === 0;
  // `outcome` changes with each change of a rule.
  useEffect(() => {
    if (!isEmpty) return setInitialRules([]);
    const unused = { fired: 0, passed: 0, waiting: 0, gave_up: 0, organisations: [] } as const;
    // A response that arrives after the first organisation would list its rules twice.
    let isCurrent = true;
    admin.fetchInitialRules().then(
      (all) =>
        isCurrent &&
        setInitialRules(
          all.map(({ together, off, ...each }) => {
            const state: ListedRule['state'] = off ? 'off' : 'live';
            return { ...each, ...unused, state, ...(together && { count: 'together' as const }) };
          }),
        ),
      () => {},
    );
    return () => {
      isCurrent = false;
    };
  }, [isEmpty, outcome.value]);
  return initialRules;
}
