import { findByPointer } from '../../../spec/json.js';
import { evaluate } from '../../../spec/json-schema/evaluate.js';
import type { Schema, SchemaObject } from '../../../spec/json-schema/schema.js';
import { createLinearPattern } from '../../../spec/linear-pattern.js';
import { showJson } from '../../../spec/show.js';

/** Why a schema is unusable. `pointer` is a JSON pointer (RFC 6901) into the schema. */
export interface SchemaProblem {
  pointer: string;
  expected: string;
  got: string;
}

class UnusableSchema extends Error {
  constructor(readonly problem: SchemaProblem) {
    super(problem.expected);
  }
}

export function refuse(pointer: string, expected: string, got: string): never {
  throw new UnusableSchema({ pointer, expected, got });
}

/** The result of `read`, or the problem that it refused with. */
export function catchProblem<T extends object>(read: () => T): T | { problem: SchemaProblem } {
  try {
    return read();
  } catch (error) {
    if (error instanceof UnusableSchema) return { problem: error.problem };
    throw error;
  }
}

/** Keywords of draft 2020-12, and of older drafts with the same meaning, by type of their value. */
export const KEYWORDS = {
  schema: [
    ...['items', 'contains', 'additionalProperties', 'propertyNames', 'contentSchema'],
    ...['if', 'then', 'else', 'not'],
  ],
  schemas: ['prefixItems', 'allOf', 'anyOf', 'oneOf'],
  map: ['$defs', 'definitions', 'properties', 'patternProperties', 'dependentSchemas'],
  text: [
    ...['$schema', '$ref', '$comment', 'pattern', 'title', 'description', 'format'],
    ...['contentEncoding', 'contentMediaType'],
  ],
  flag: ['uniqueItems', 'deprecated', 'readOnly', 'writeOnly'],
  number: ['maximum', 'exclusiveMaximum', 'minimum', 'exclusiveMinimum'],
  count: [
    ...['maxLength', 'minLength', 'maxItems', 'minItems', 'maxContains', 'minContains'],
    ...['maxProperties', 'minProperties'],
  ],
  list: ['enum', 'examples'],
} as const;

/**
 * Keywords of draft 2020-12 and other drafts that would change the meaning of a schema and are not evaluated.
 */
export const UNSUPPORTED = [
  ...['$dynamicRef', '$dynamicAnchor', '$recursiveRef', '$vocabulary', 'dependencies'],
  ...['unevaluatedItems', 'unevaluatedProperties'],
];

const SCHEMA: SchemaObject = { $ref: '#' };
const NAMES: SchemaObject = { type: 'array', items: { type: 'string' }, uniqueItems: true };
const TYPE: SchemaObject = { enum: ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'] };

const FORMS: Record<keyof typeof KEYWORDS, SchemaObject> = {
  schema: SCHEMA,
  schemas: { type: 'array', minItems: 1, items: SCHEMA },
  map: { type: 'object', additionalProperties: SCHEMA },
  text: { type: 'string' },
  flag: { type: 'boolean' },
  number: { type: 'number' },
  count: { type: 'integer', minimum: 0 },
  list: { type: 'array' },
};

const kinds = Object.keys(KEYWORDS) as (keyof typeof KEYWORDS)[];

/** The form of a schema, as a schema whose only reference leads to its root. */
const METASCHEMA: SchemaObject = {
  type: ['object', 'boolean'],
  properties: {
    ...Object.fromEntries(
      kinds.flatMap((kind) => KEYWORDS[kind].map((name): [string, Schema] => [name, FORMS[kind]])),
    ),
    $id: { type: 'string', pattern: '^[^#]*#?$' },
    $anchor: { type: 'string', pattern: '^[A-Za-z_][-A-Za-z0-9._]*$' },
    type: { anyOf: [TYPE, { type: 'array', items: TYPE, minItems: 1, uniqueItems: true }] },
    multipleOf: { type: 'number', exclusiveMinimum: 0 },
    required: NAMES,
    dependentRequired: { type: 'object', additionalProperties: NAMES },
  },
};

/** Validates a schema against the metaschema of draft 2020-12. `pointer` leads to it. */
export function checkForm(schema: Schema, pointer: string): void {
  const options = { resolve: () => METASCHEMA, pattern: createLinearPattern, isOfFormat: () => true };
  const [error] = evaluate(METASCHEMA, schema, { ...options, allErrors: false });
  if (!error) return;
  const { instancePath: path, message, parentSchema } = error;
  const allowed = parentSchema.enum ? ` (${showJson(parentSchema.enum)})` : '';
  const expected = `a keyword as in draft 2020-12: ${message}${allowed}`;
  refuse(pointer + path, expected, showJson(findByPointer(schema, path)));
}
