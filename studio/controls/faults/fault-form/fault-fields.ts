import type { VerbDescriptor, VerbDescriptors } from '../../../../mock/admin/network-verbs.js';
import type { NetworkRule } from '../../../../scenarios/format/types.js';
import { type RuleTarget, writeTarget } from '../../../../scenarios/verbs/target.js';
import type { FieldSchema } from '../../../../scenarios/verbs/verb.js';
import { formatDuration } from '../../../../spec/duration.js';

/** A field of the form. Its input is always text; `createRule` converts it. */
export interface FaultField {
  name: string;
  label: string;
  control: 'text' | 'number' | 'choice';
  /** Empty unless `control` is `choice`. */
  choices: readonly string[];
  isRequired: boolean;
  description: string;
  placeholder: string;
  minimum?: number | undefined;
  maximum?: number | undefined;
}

const DESCRIPTIONS: Readonly<Record<string, string>> = {
  until: 'A gate of this name releases it.',
};
/** Targets that the form offers; others need the shorthand. */
export const TARGETS = ['any', 'create', 'poll', 'reply', 'action', 'cancel'] as const;

/** Leaves out verbs about steps: they are valid in scenario files only. */
export function selectRequestVerbs(all: readonly VerbDescriptor[]): VerbDescriptor[] {
  return all.filter(({ requests }) => requests !== 'none');
}

export function listTargets({ requests }: VerbDescriptor): readonly string[] {
  if (requests === 'polls') return ['poll'];
  return requests === 'polls and creates' ? ['poll', 'create'] : TARGETS;
}

/** The required fields first. */
export function listFields({ fields, required }: VerbDescriptor): FaultField[] {
  const all = Object.entries(fields).map(([name, schema]) => toField(name, schema, required.includes(name)));
  return all.sort((one, other) => Number(other.isRequired) - Number(one.isRequired));
}

/** Fields of every rule, without the target. */
export function listCommonFields(fields: VerbDescriptors['rule_fields']): FaultField[] {
  return Object.entries(fields)
    .filter(([name]) => name !== 'of')
    .map(([name, schema]) => toField(name, schema, false));
}

function toField(name: string, schema: FieldSchema, isRequired: boolean): FaultField {
  const kind = schema.$ref?.replace('#/$defs/', '');
  const isNumber = schema.type === 'integer' || schema.type === 'number';
  const choices =
    kind === 'side' ? ['request', 'response'] : (schema.enum ?? []).map((value) => String(value));
  return {
    name,
    label: name.replaceAll('_', ' '),
    control: choices.length > 0 ? 'choice' : isNumber ? 'number' : 'text',
    choices,
    isRequired,
    description: schema.description ?? DESCRIPTIONS[name] ?? '',
    placeholder: formatPlaceholder(schema, kind),
    minimum: schema.minimum,
    maximum: schema.maximum,
  };
}

function formatPlaceholder({ default: standard, type }: FieldSchema, kind: string | undefined): string {
  if (standard !== undefined) return kind === 'duration' && standard === 0 ? '0s' : String(standard);
  if (kind === 'duration') return '500ms, 2s, 1m';
  if (kind === 'until') return 'name of a gate';
  return type === 'object' ? '{"shard": 7}' : '';
}

/** Input by field name; `of` is the target. */
export type FaultValues = Readonly<Record<string, string>>;

/** The rule in the form of a network file. Invalid input stays text, so that the mock reports the error. */
export function createRule(verb: VerbDescriptor, values: FaultValues): Record<string, unknown> {
  const rule: Record<string, unknown> = { network: verb.name };
  for (const [name, text] of Object.entries(values)) {
    if (text.trim() === '') continue;
    if (name === 'of') {
      if (text !== 'any') rule.of = text.startsWith('{') ? JSON.parse(text) : text;
    } else rule[name] = toValue(text.trim(), verb.fields[name]);
  }
  return rule;
}

/** The fields of a rule as input of the form: the reverse of `createRule`. */
export function readFaultValues({ network: _, of, ...fields }: NetworkRule): FaultValues {
  const values: Record<string, string> = { of: writeTargetValue(of) };
  for (const [name, value] of Object.entries(fields)) {
    if (name === 'id' || name === 'line' || value === undefined) continue;
    const [, field = name, unit] = /^(.*)_(ms|s)$/.exec(name) ?? [];
    if (unit) values[field] = formatDuration(Number(value) * (unit === 's' ? 1000 : 1));
    else
      values[field] = isGate(value)
        ? value.gate
        : typeof value === 'object'
          ? JSON.stringify(value)
          : String(value);
  }
  return values;
}

function isGate(value: unknown): value is { gate: string } {
  return typeof value === 'object' && value !== null && 'gate' in value;
}

/** A target that the form does not offer stays JSON. */
function writeTargetValue(of: RuleTarget | undefined): string {
  const written = of === undefined ? 'any' : writeTarget(of);
  return typeof written === 'string' ? written : JSON.stringify(written);
}

function toValue(text: string, schema: FieldSchema | undefined): unknown {
  if (schema?.$ref?.endsWith('/until')) return text.startsWith('{') ? JSON.parse(text) : { gate: text };
  if (schema?.enum) return text === 'null' ? null : text;
  if (schema?.type === 'object') {
    try {
      return JSON.parse(text);
    } catch {
      return text;
    }
  }
  if (schema?.type === 'string' || schema?.$ref) return text;
  // `times`, `skip` and `probability` have no schema here. A duration with a unit is no number.
  return Number.isFinite(Number(text)) ? Number(text) : text;
}
