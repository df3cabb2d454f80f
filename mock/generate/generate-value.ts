import { isOfType, type Schema, type TypeName } from '../../spec/json-schema/schema.js';
import { NONE } from './bounds.js';
import { type Conjunction, commonTypes, commonValues, expand, type SchemaChoices } from './conjunction.js';
import { generateArray } from './generate-array.js';
import { generateNumber } from './generate-number.js';
import { generateObject } from './generate-object.js';
import { generateString } from './generate-string.js';
import { type Generation, spend } from './generation.js';
import { canonical } from './schema/problem.js';
import { isValid } from './schema/validate.js';

const TRIES = 12;
const MOST_TRIES = 64;
/** Below this level, and beyond this much text, only what must be there is made. */
const GENEROUS_DEPTH = 5;
const GENEROUS_SIZE = 8_000;
const DEEPEST = 48;
const CHECK_COST = 3;

/** A value for the property `name` that fits all schemas, or NONE. */
export function generateValue(
  schemas: readonly Schema[],
  name: string,
  depth: number,
  generation: Generation,
): unknown | typeof NONE {
  if (depth > DEEPEST || schemas.includes(false)) return NONE;
  const tries = generation.isCareful
    ? Math.min(MOST_TRIES, Math.max(TRIES, 2 * branches(schemas, generation)))
    : 4;
  for (let attempt = 0; attempt < tries; attempt++) {
    const isMinimal = depth > GENEROUS_DEPTH || generation.written > GENEROUS_SIZE;
    const { random, minimumDepth, document } = generation;
    const choices: SchemaChoices = { document, random, minimumDepth, isMinimal, attempt };
    const conjunction = expand(schemas, choices);
    // What was unfolded is what checking the value will unfold again.
    spend(generation, 1 + (conjunction?.schemas.length ?? 1) / 8);
    if (!conjunction) continue;
    const value = make(conjunction, name, depth, generation, choices);
    if (value === NONE) continue;
    if (!generation.isCareful) return value;
    spend(generation, CHECK_COST);
    if (schemas.every((schema) => isValid(document, schema, value))) return value;
  }
  return NONE;
}

/** Branches that the schemas choose from at this place. */
function branches(schemas: readonly Schema[], { document }: Generation): number {
  let count = 0;
  for (let schema of schemas) {
    for (let hops = 0; typeof schema !== 'boolean' && schema.$ref !== undefined && hops < 8; hops++) {
      schema = document.resolve(schema.$ref);
    }
    if (typeof schema !== 'boolean') count += (schema.anyOf?.length ?? 0) + (schema.oneOf?.length ?? 0);
  }
  return count;
}

function make(
  conjunction: Conjunction,
  name: string,
  depth: number,
  generation: Generation,
  choices: SchemaChoices,
): unknown | typeof NONE {
  const { random } = generation;
  const types = commonTypes(conjunction.schemas);
  const values = commonValues(conjunction)?.filter((value) => types.some((type) => isOfType(value, type)));
  if (values) {
    if (values.length === 0) return NONE;
    return copy(
      choices.attempt % 2 === 0 ? random.pick(values) : values[((choices.attempt - 1) / 2) % values.length],
      generation,
    );
  }
  if (choices.attempt === 0) {
    const given = suggestions(conjunction).filter((value) => types.some((type) => isOfType(value, type)));
    if (given.length > 0) return copy(random.pick(given), generation);
  }
  const type = pickType(types, conjunction, name, choices);
  switch (type) {
    case undefined:
      return NONE;
    case 'null':
      return conjunction.excluded.has('null') ? NONE : null;
    case 'boolean': {
      const open = [true, false].filter((value) => !conjunction.excluded.has(String(value)));
      return open.length === 0 ? NONE : random.pick(open);
    }
    case 'object':
      return generateObject(conjunction, depth, generation, choices);
    case 'array':
      return generateArray(conjunction, name, depth, generation, choices);
    case 'string': {
      const text = generateString(conjunction, name, generation);
      if (text !== NONE) generation.written += text.length;
      return text;
    }
    default:
      generation.written += 4;
      return generateNumber(conjunction, type === 'integer', name, random);
  }
}

/** `examples` before `default`. An empty default ("", [], {}, null) says nothing of what a result looks like. */
function suggestions({ schemas, excluded }: Conjunction): unknown[] {
  const examples = schemas.flatMap((schema) => (Array.isArray(schema.examples) ? schema.examples : []));
  const defaults = schemas.flatMap((schema) => (Object.hasOwn(schema, 'default') ? [schema.default] : []));
  const informative = defaults.filter((value) => !['""', '[]', '{}', 'null'].includes(JSON.stringify(value)));
  return (examples.length > 0 ? examples : informative).filter((value) => !excluded.has(canonical(value)));
}

function copy(value: unknown, generation: Generation): unknown {
  const text = JSON.stringify(value);
  generation.written += text.length;
  return JSON.parse(text);
}

const KEYWORDS_OF: Partial<Record<TypeName, readonly string[]>> = {
  object: [
    ...[
      'properties',
      'required',
      'additionalProperties',
      'patternProperties',
      'minProperties',
      'propertyNames',
    ],
    ...['dependentRequired', 'dependentSchemas', 'maxProperties', 'unevaluatedProperties'],
  ],
  array: ['items', 'prefixItems', 'contains', 'minItems', 'maxItems', 'uniqueItems', 'unevaluatedItems'],
  string: ['pattern', 'format', 'minLength', 'maxLength'],
  number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
};
const NULL_SHARE = 0.1;

/** The type to make: of those allowed, the one that the other keywords speak of; of a list, any but mostly not null. */
function pickType(
  types: TypeName[],
  { schemas }: Conjunction,
  name: string,
  choices: SchemaChoices,
): TypeName | undefined {
  const { random, isMinimal, attempt } = choices;
  const scalars = types.filter((type) => type !== 'object' && type !== 'array');
  if (schemas.some((schema) => schema.type !== undefined)) {
    if (isMinimal && scalars.length > 0) return random.pick(scalars);
    const informative = types.filter((type) => type !== 'null');
    const from = informative.length > 0 && random.next() >= NULL_SHARE ? informative : types;
    return from.length === 0 ? undefined : random.pick(from);
  }
  if (attempt >= 3) return types.length === 0 ? undefined : random.pick(types);
  for (const [type, keywords] of Object.entries(KEYWORDS_OF)) {
    if (!types.includes(type as TypeName)) continue;
    if (schemas.some((schema) => keywords.some((keyword) => schema[keyword] !== undefined)))
      return type as TypeName;
  }
  if (types.includes('string') && name !== '') return 'string';
  return types.includes('string') ? 'string' : scalars.length > 0 ? random.pick(scalars) : types[0];
}
