import { isOfType, type Schema, type SchemaObject, type TypeName } from '../../spec/json-schema/schema.js';
import { generateArray } from './generate-array.js';
import { generateNumber } from './generate-number.js';
import { generateObject } from './generate-object.js';
import { generateString } from './generate-string.js';
import {
  expand,
  type Generation,
  intersectTypes,
  intersectValues,
  NONE,
  NULL_SHARE,
  RunAbandoned,
  spend,
  type ValueContext,
} from './generation.js';
import type { Random } from './random.js';
import type { SchemaProblem } from './schema/metaschema.js';
import { readSchema, validate } from './schema/read-schema.js';

/** Most characters of the value's JSON text. */
const CHARACTERS = 64 * 1024;
/** Attempts at a value before the schema counts as unsatisfiable. */
const ATTEMPTS = 50;
/** Work of all attempts together: about half a second if every attempt fails. */
const WORK = 30_000;

/**
 * A value that satisfies a schema of draft 2020-12 and has the type `type`, if given; or the problem of the
 * schema. The value is validated before it is returned. The same schema and the same state of `random` give
 * the same value. Bounded in time and size for any schema.
 */
export function generate(
  schema: unknown,
  random: Random,
  type?: TypeName,
): { value: unknown } | { problem: SchemaProblem } {
  const read = readSchema(schema);
  if ('problem' in read) return read;
  const { document } = read;
  const schemas: Schema[] = [document.root, ...(type === undefined ? [] : [{ type }])];
  const generation: Generation = { document, random, work: WORK, written: 0, failure: undefined };
  let attempts = 0;
  for (; attempts < ATTEMPTS && generation.work > 0; attempts++) {
    generation.written = 0;
    try {
      const value = generateValue(schemas, '', 0, generation);
      if (value === NONE) continue;
      const size = JSON.stringify(value).length;
      if (size <= CHARACTERS) return { value };
      generation.failure = `values of ${size} characters (at most ${CHARACTERS})`;
    } catch (error) {
      if (!(error instanceof RunAbandoned)) throw error;
      generation.failure ??= error.message;
    }
  }
  const got = `no fitting value in ${attempts} attempts; the last failed on: ${generation.failure ?? 'keywords that contradict each other'}`;
  return {
    problem: {
      pointer: '',
      expected: `a schema that a value${type === undefined ? '' : ` of type ${type}`} can be made for`,
      got,
    },
  };
}

const TRIES = 12;
const MOST_TRIES = 64;
/** Below this level, and beyond this much text, only required parts are generated. */
const GENEROUS_DEPTH = 5;
const GENEROUS_SIZE = 8_000;
const DEEPEST = 48;
const CHECK_COST = 3;

/** A value for the property `name` that satisfies all schemas, or NONE. */
export function generateValue(
  schemas: readonly Schema[],
  name: string,
  depth: number,
  generation: Generation,
): unknown | typeof NONE {
  const { document } = generation;
  if (schemas.includes(false)) return NONE;
  if (depth > DEEPEST) throw new RunAbandoned('values that need others inside them without end');
  let tries = TRIES;
  for (let attempt = 0; attempt < tries; attempt++) {
    const isMinimal = depth > GENEROUS_DEPTH || generation.written > GENEROUS_SIZE;
    const place: ValueContext = { name, depth, isMinimal, attempt };
    const expanded = expand(schemas, generation, place);
    // Validation of the value expands the same references again.
    spend(generation, 1 + (expanded?.length ?? 1) / 8);
    if (!expanded) continue;
    // Each branch gets one attempt.
    const branches = expanded.flatMap(({ anyOf = [], oneOf = [] }) => [...anyOf, ...oneOf]).length;
    tries = Math.min(MOST_TRIES, Math.max(tries, 2 * branches));
    const value = make(expanded, place, generation);
    if (value === NONE) continue;
    spend(generation, CHECK_COST);
    const mismatch = schemas.map((schema) => validate(document, value, schema)).find(Boolean);
    if (!mismatch) return value;
    if (depth === 0) generation.failure = mismatch.message;
    if (mismatch.keyword === 'steps') spend(generation, Number.POSITIVE_INFINITY);
  }
  return NONE;
}

function make(
  schemas: readonly SchemaObject[],
  place: ValueContext,
  generation: Generation,
): unknown | typeof NONE {
  const { random } = generation;
  const { attempt, name } = place;
  const types = intersectTypes(schemas);
  const filterByType = (list: readonly unknown[]) =>
    list.filter((value) => types.some((type) => isOfType(value, type)));
  const allowed = intersectValues(schemas);
  if (allowed) {
    const values = filterByType(allowed);
    if (values.length === 0) return NONE;
    const chosen = attempt % 2 === 0 ? random.pick(values) : values[((attempt - 1) / 2) % values.length];
    return copy(chosen, generation);
  }
  const suggested = attempt === 0 ? filterByType(collectSuggestions(schemas)) : [];
  if (suggested.length > 0) return copy(random.pick(suggested), generation);
  const type = pickType(types, schemas, place, generation);
  switch (type) {
    case undefined:
      return NONE;
    case 'null':
      return null;
    case 'boolean':
      return random.pick([true, false]);
    case 'object':
      return generateObject(schemas, place, generation);
    case 'array':
      return generateArray(schemas, place, generation);
    case 'string': {
      const text = generateString(schemas, name, generation);
      if (text !== NONE) generation.written += text.length;
      return text;
    }
    default:
      generation.written += 4;
      return generateNumber(schemas, type === 'integer', name, random);
  }
}

/** `examples` before `default`. An empty default ("", [], {}, null) shows nothing of a result. */
function collectSuggestions(schemas: readonly SchemaObject[]): unknown[] {
  const examples = schemas.flatMap((schema) => schema.examples ?? []);
  if (examples.length > 0) return examples;
  const defaults = schemas.flatMap((schema) => (Object.hasOwn(schema, 'default') ? [schema.default] : []));
  return defaults.filter((value) => !['""', '[]', '{}', 'null'].includes(JSON.stringify(value)));
}

function copy(value: unknown, generation: Generation): unknown {
  generation.written += JSON.stringify(value).length;
  return structuredClone(value);
}

const TYPE_KEYWORDS: readonly (readonly [TypeName, keywords: readonly string[]])[] = [
  ['object', ['properties', 'required', 'additionalProperties', 'patternProperties', 'minProperties']],
  ['object', ['propertyNames', 'dependentRequired', 'dependentSchemas', 'maxProperties']],
  ['array', ['items', 'prefixItems', 'contains', 'minItems', 'maxItems', 'uniqueItems']],
  ['string', ['pattern', 'format', 'minLength', 'maxLength']],
  ['number', ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']],
];

/**
 * The type to generate: among the allowed types, the one that the other keywords apply to; from a list any,
 * but rarely null.
 */
function pickType(
  types: TypeName[],
  schemas: readonly SchemaObject[],
  { isMinimal, attempt }: ValueContext,
  { random }: Generation,
): TypeName | undefined {
  const scalars = types.filter((type) => type !== 'object' && type !== 'array');
  if (schemas.some((schema) => schema.type !== undefined)) {
    if (isMinimal && scalars.length > 0) return random.pick(scalars);
    const informative = types.filter((type) => type !== 'null');
    const from = informative.length > 0 && random.next() >= NULL_SHARE ? informative : types;
    return from.length === 0 ? undefined : random.pick(from);
  }
  // Without `type`, every type is allowed.
  if (attempt >= 3) return random.pick(types);
  const spokenOf = TYPE_KEYWORDS.find(([, keywords]) =>
    schemas.some((schema) => keywords.some((keyword) => schema[keyword] !== undefined)),
  );
  return spokenOf?.[0] ?? 'string';
}
