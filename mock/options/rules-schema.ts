import type { Target, Until } from '../../scenarios/format/types.js';
import { type FieldSchema, RULE_FIELDS } from '../../scenarios/verbs/verb.js';
import { DURATION_FIELDS, VERB_NAMES, VERBS } from '../../scenarios/verbs/verbs.js';
import { text } from '../../spec/json-schema/build-schema.js';
import type { Schema, SchemaObject } from '../../spec/json-schema/schema.js';
import { duration, optionsOf } from './check-given.js';

const anyOr = (expected: string, schema: SchemaObject): SchemaObject => ({
  anyOf: [{ const: true }, schema],
  'x-expected': `true for any, or ${expected}`,
});
const nth = anyOr('a whole number from 1', { type: 'integer', minimum: 1 });
const named = anyOr('an id', text);

const target = optionsOf<Target>(
  {
    create: nth,
    poll: nth,
    reply: named,
    action: named,
    cancel: nth,
    operation: text,
    method: text,
    path: text,
    step: text,
  },
  'an object such as { poll: true }',
);

/** What the fields of a rule refer to, in the form in which a rule is loaded. */
const LOADED: Readonly<Record<string, SchemaObject>> = {
  '#/$defs/duration': duration,
  '#/$defs/side': { enum: ['request', 'response'] },
  '#/$defs/target': target,
  '#/$defs/until': optionsOf<Record<Until extends infer One ? keyof One : never, unknown>>(
    { gate: text, step: text, arrive: target, answer: target },
    "an object such as { gate: 'open' }",
  ),
};

const loadedName = (field: string) => DURATION_FIELDS.get(field)?.loaded ?? field;

function loadedFields(fields: Readonly<Record<string, FieldSchema>>): Record<string, Schema> {
  const loaded = Object.entries(fields).map(([field, { $ref, unit: _, ...schema }]) => [
    loadedName(field),
    $ref === undefined ? schema : LOADED[$ref]!,
  ]);
  return Object.fromEntries(loaded) as Record<string, Schema>;
}

const rule: SchemaObject = {
  type: 'object',
  required: ['network'],
  properties: { network: { enum: [...VERB_NAMES] } },
  allOf: VERBS.map(({ name, fields, required = [] }) => ({
    if: { required: ['network'], properties: { network: { const: name } } },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: {
      properties: { network: {}, line: {}, ...loadedFields(RULE_FIELDS), ...loadedFields(fields) },
      required: required.map(loadedName),
      additionalProperties: false,
    },
  })),
  'x-expected': "a rule such as { network: 'fail', status: 503 }",
};

/** Network rules as objects in the form in which they are loaded, or a text that is read later. */
export const rulesSchema: SchemaObject = {
  type: ['string', 'array'],
  items: rule,
  'x-expected': 'a list of rules, a path, or rules in short such as "fail 503 of poll"',
};
