import { useEffect, useState } from 'preact/hooks';
import { toVisible } from '../../../spec/visible.js';
import { admin } from '../../live/admin-client.js';
import { clocks } from '../../live/live-state.js';
import { Button, outcome, perform } from '../control-parts.js';
import { FaultForm } from './fault-form/fault-form.js';
import { describeRule, type ShownRule } from './rule-list.js';

/** The organisations in which a listed rule is changed; undefined: in all, also in later ones. */
export function listPlaces(
  { organisations, count }: ShownRule,
  organisation: string | undefined,
): (string | undefined)[] {
  const isOfAll = count === 'together' || organisations.length === 0;
  if (isOfAll) return [undefined];
  if (organisation !== undefined) return [organisation];
  return organisations.length === clocks.value.size ? [undefined] : [...organisations];
}

interface RuleItemProps {
  rule: ShownRule;
  organisation: string | undefined;
  /** Ids of the rules before and after it that it can change places with. */
  previous: string | undefined;
  next: string | undefined;
}

export function RuleItem({ rule: shown, organisation, previous, next }: RuleItemProps) {
  const { id, rule, state, fired, waiting, task, count, only_task: onlyTask } = shown;
  const [isEdited, setEdited] = useState(false);
  const [why, setWhy] = useState<readonly string[]>([]);
  // An explanation is about the rule as it was.
  useEffect(() => setWhy([]), [state, fired]);
  const text = describeRule(rule);
  const places = listPlaces(shown, organisation);
  const change = (what: string, body: object) =>
    perform(what, Promise.all(places.map((place) => admin.changeRule(place, id, body))));
  const explain = () =>
    admin.explainRule(organisation, id).then(
      (rules) => setWhy([...new Set(rules.map((each) => each.why))]),
      (error: Error) => {
        outcome.value = { text: error.message, isError: true };
      },
    );
  const duplicate = () => {
    const place = { organisation: places[0], task: onlyTask, count };
    return perform('added the rule again', admin.addRules(place, JSON.stringify([rule])));
  };
  const remove = () =>
    perform('removed a rule', Promise.all(places.map((place) => admin.removeRule(place, id))));
  const ofScenario = task === undefined ? undefined : 'The rule is of a scenario: change the scenario.';
  const scope = onlyTask !== undefined ? ', of one task' : count ? ', all keys together' : '';
  return (
    <li class={state}>
      <label class="rule-on">
        <input
          type="checkbox"
          aria-label={`On: ${text}`}
          checked={state !== 'off'}
          onChange={({ currentTarget: { checked } }) =>
            change(checked ? 'the rule is on' : 'the rule is off', { enabled: checked })
          }
        />
        <code>{text}</code>
      </label>
      <span class="soft rule-state">
        hit {fired}×{waiting > 0 && `, holds ${waiting}`}
        {state !== 'live' && `, ${state}`}
        {scope}
      </span>
      {(state === 'spent' || state === 'expired') && (
        <Button label="Again" isSmall onClick={() => change('the rule begins again', { again: true })} />
      )}
      <div class="line">
        <Button label="Why?" isSmall description={`Why: ${text}`} onClick={explain} />
        <Button
          label="Edit"
          isSmall
          description={`Edit ${text}`}
          problem={ofScenario}
          onClick={() => setEdited(!isEdited)}
        />
        <Button
          label="Duplicate"
          isSmall
          description={`Duplicate ${text}`}
          problem={ofScenario}
          onClick={duplicate}
        />
        <Button
          label="↑"
          isSmall
          description={`Earlier: ${text}`}
          problem={ofScenario ?? (previous === undefined ? 'It is the first rule.' : undefined)}
          onClick={() => change('moved the rule', { before: previous })}
        />
        <Button
          label="↓"
          isSmall
          description={`Later: ${text}`}
          problem={ofScenario ?? (next === undefined ? 'It is the last rule.' : undefined)}
          onClick={() =>
            perform(
              'moved the rule',
              Promise.all(places.map((place) => admin.changeRule(place, next!, { before: id }))),
            )
          }
        />
        <Button label="✕" isSmall description={`Remove ${text}`} onClick={remove} />
      </div>
      {why.map((each) => (
        <p key={each} class="soft" role="status">
          {toVisible(each, 400)}
        </p>
      ))}
      {isEdited && (
        <FaultForm
          rule={rule}
          onSave={async (edited) => {
            const isSaved = await change('changed the rule', { rule: edited });
            if (isSaved) setEdited(false);
            return isSaved;
          }}
        />
      )}
    </li>
  );
}
