import type { Schema, SchemaObject, TypeName } from '../../../spec/json-schema/schema.js';

/**
 * The metaschema of draft 2020-12 in one piece: a reference of its own always leads to the whole. The vocabularies stand
 * in the order of the original, so that of several mistakes the same one is told.
 */

type Properties = Record<string, Schema>;

const SCHEMA: SchemaObject = { $dynamicRef: '#meta' };
const SCHEMAS: SchemaObject = { type: 'array', minItems: 1, items: SCHEMA };
const MAP: SchemaObject = { type: 'object', additionalProperties: SCHEMA };
const TEXT: SchemaObject = { type: 'string' };
const FLAG: SchemaObject = { type: 'boolean' };
const NUMBER: SchemaObject = { type: 'number' };
const COUNT: SchemaObject = { type: 'integer', minimum: 0 };
const NAMES: SchemaObject = { type: 'array', items: TEXT, uniqueItems: true };
const ANCHOR: SchemaObject = { type: 'string', pattern: '^[A-Za-z_][-A-Za-z0-9._]*$' };
const TYPE: SchemaObject = { enum: ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'] };

const CORE: Properties = {
  $id: { type: 'string', pattern: '^[^#]*#?$' },
  $schema: TEXT,
  $ref: TEXT,
  $anchor: ANCHOR,
  $dynamicRef: TEXT,
  $dynamicAnchor: ANCHOR,
  $vocabulary: { type: 'object', propertyNames: TEXT, additionalProperties: FLAG },
  $comment: TEXT,
  $defs: MAP,
};

const APPLICATOR: Properties = {
  prefixItems: SCHEMAS,
  items: SCHEMA,
  contains: SCHEMA,
  additionalProperties: SCHEMA,
  properties: MAP,
  patternProperties: MAP,
  dependentSchemas: MAP,
  propertyNames: SCHEMA,
  if: SCHEMA,
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: SCHEMA,
  else: SCHEMA,
  allOf: SCHEMAS,
  anyOf: SCHEMAS,
  oneOf: SCHEMAS,
  not: SCHEMA,
};

const UNEVALUATED: Properties = { unevaluatedItems: SCHEMA, unevaluatedProperties: SCHEMA };

const VALIDATION: Properties = {
  type: { anyOf: [TYPE, { type: 'array', items: TYPE, minItems: 1, uniqueItems: true }] },
  enum: { type: 'array' },
  multipleOf: { type: 'number', exclusiveMinimum: 0 },
  maximum: NUMBER,
  exclusiveMaximum: NUMBER,
  minimum: NUMBER,
  exclusiveMinimum: NUMBER,
  maxLength: COUNT,
  minLength: COUNT,
  pattern: TEXT,
  maxItems: COUNT,
  minItems: COUNT,
  uniqueItems: FLAG,
  maxContains: COUNT,
  minContains: COUNT,
  maxProperties: COUNT,
  minProperties: COUNT,
  required: NAMES,
  dependentRequired: { type: 'object', additionalProperties: NAMES },
};

const META_DATA: Properties = {
  title: TEXT,
  description: TEXT,
  deprecated: FLAG,
  readOnly: FLAG,
  writeOnly: FLAG,
  examples: { type: 'array' },
};

const FORMAT: Properties = { format: TEXT };

const CONTENT: Properties = { contentEncoding: TEXT, contentMediaType: TEXT, contentSchema: SCHEMA };

/** Keywords of older drafts, which still have to be well-formed. */
const FORMER: Properties = {
  definitions: MAP,
  dependencies: { type: 'object', additionalProperties: { anyOf: [SCHEMA, NAMES] } },
  $recursiveAnchor: ANCHOR,
  $recursiveRef: TEXT,
};

const type: TypeName[] = ['object', 'boolean'];
const vocabularies = [CORE, APPLICATOR, UNEVALUATED, VALIDATION, META_DATA, FORMAT, CONTENT];

export const METASCHEMA: SchemaObject = {
  allOf: vocabularies.map((properties) => ({ type, properties })),
  type,
  properties: FORMER,
};
