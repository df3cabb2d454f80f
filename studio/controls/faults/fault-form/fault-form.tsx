import { useEffect, useState } from 'preact/hooks';
import type { VerbDescriptors } from '../../../../mock/admin/network-verbs.js';
import type { NetworkRule } from '../../../../scenarios/format/types.js';
import { admin } from '../../../live/admin-client.js';
import {
  createRule,
  type FaultField,
  type FaultValues,
  listCommonFields,
  listFields,
  listTargets,
  readFaultValues,
  selectRequestVerbs,
} from './fault-fields.js';

interface FaultFormProps {
  /** The rule to change. Default: a new one. */
  rule?: NetworkRule;
  /** Resolves to true if the mock accepted the rule. */
  onSave: (rule: object) => Promise<boolean>;
}

export function FaultForm({ rule: edited, onSave }: FaultFormProps) {
  const [descriptors, setDescriptors] = useState<VerbDescriptors | undefined>(undefined);
  const [name, setName] = useState<string>(edited?.network ?? 'fail');
  const [values, setValues] = useState<FaultValues>(edited ? readFaultValues(edited) : { times: '1' });
  useEffect(() => void admin.fetchVerbs().then(setDescriptors, () => {}), []);
  if (!descriptors) return null;
  const verbs = selectRequestVerbs(descriptors.verbs);
  const verb = verbs.find((each) => each.name === name) ?? verbs[0]!;
  const own = values.of !== undefined && /^\{/.test(values.of) ? [values.of] : [];
  const targets = [...listTargets(verb), ...own];
  const common = listCommonFields(descriptors.rule_fields);
  const setValue = (field: string, value: string) => setValues({ ...values, [field]: value });
  const chooseVerb = (next: string) => {
    setName(next);
    // A field of the same name may mean something else in another verb.
    const common = Object.entries(values).filter(([field]) => field in descriptors.rule_fields);
    const known = listTargets(verbs.find((each) => each.name === next)!);
    setValues(Object.fromEntries(common.filter(([field, value]) => field !== 'of' || known.includes(value))));
  };
  const submit = async (event: Event) => {
    event.preventDefault();
    const rule = createRule(verb, { of: targets[0]!, ...values });
    if ((await onSave(rule)) && !edited) chooseVerb(name);
  };
  const renderField = (each: FaultField) => (
    <Field
      key={each.name}
      field={each}
      value={values[each.name] ?? ''}
      onInput={(value) => setValue(each.name, value)}
    />
  );
  return (
    <form onSubmit={submit}>
      <label class="field">
        <span>fault</span>
        <select
          aria-label="fault"
          value={verb.name}
          onChange={({ currentTarget }) => chooseVerb(currentTarget.value)}
        >
          {verbs.map((each) => (
            <option key={each.name}>{each.name}</option>
          ))}
        </select>
      </label>
      <p class="soft">{verb.description}</p>
      <label class="field">
        <span>requests</span>
        <select
          aria-label="requests"
          value={values.of ?? targets[0]}
          onChange={({ currentTarget }) => setValue('of', currentTarget.value)}
        >
          {targets.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
      </label>
      {listFields(verb).map(renderField)}
      {common.filter((each) => each.name === 'times').map(renderField)}
      <details>
        <summary>Which of them, and how long</summary>
        {common.filter((each) => each.name !== 'times').map(renderField)}
      </details>
      <button type="submit" class="primary">
        {edited ? 'Save fault' : 'Add fault'}
      </button>
    </form>
  );
}

function Field({
  field,
  value,
  onInput,
}: {
  field: FaultField;
  value: string;
  onInput: (value: string) => void;
}) {
  const { label, control, choices, isRequired, description, placeholder } = field;
  const handleInput = ({ currentTarget }: { currentTarget: HTMLInputElement | HTMLSelectElement }) =>
    onInput(currentTarget.value);
  return (
    <label class="field" title={description}>
      <span>
        {label}
        {isRequired && ' *'}
      </span>
      {control === 'choice' ? (
        <select aria-label={label} value={value} required={isRequired} onChange={handleInput}>
          <option value="">{placeholder === '' ? '' : `${placeholder} (default)`}</option>
          {choices.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
      ) : (
        // A number input would hide invalid text. The mock reports it with a better message.
        <input
          type="text"
          inputMode={control === 'number' ? 'decimal' : 'text'}
          value={value}
          required={isRequired}
          placeholder={placeholder || formatRange(field)}
          onInput={handleInput}
        />
      )}
    </label>
  );
}

function formatRange({ minimum, maximum }: FaultField): string {
  if (minimum === undefined) return '';
  return maximum === undefined ? `${minimum} or more` : `${minimum} to ${maximum}`;
}
