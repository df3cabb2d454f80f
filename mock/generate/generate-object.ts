import type { Schema, SchemaObject } from '../../spec/json-schema/schema.js';
import { createLinearPattern } from '../../spec/linear-pattern.js';
import { generateValue } from './generate.js';
import { generateString } from './generate-string.js';
import {
  expand,
  type Generation,
  NONE,
  readLowerBound,
  readUpperBound,
  type ValueContext,
} from './generation.js';
import { validate } from './schema/read-schema.js';
import { getFaker, pickWord } from './text/property-texts.js';

/** Probability of an optional property by attempt: it falls after failures. */
const OPTIONAL_SHARES = [0.9, 0.6, 0.3, 0];
const NAME_TRIES = 30;
const MOST_PROPERTIES = 1_000;

export function generateObject(
  given: readonly SchemaObject[],
  place: ValueContext,
  generation: Generation,
): Record<string, unknown> | typeof NONE {
  const schemas = [...given];
  const { random, document } = generation;
  const max = readUpperBound(schemas, 'maxProperties', Number.POSITIVE_INFINITY);
  const min = readLowerBound(schemas, 'minProperties', 0);
  if (min > Math.min(max, MOST_PROPERTIES)) return NONE;

  const nameRules = schemas.flatMap<Schema>(({ propertyNames }) => propertyNames ?? []);
  const isNameValid = (name: string) =>
    name !== '__proto__' && nameRules.every((rule) => validate(document, name, rule) === undefined);
  const required = new Set(schemas.flatMap((schema) => schema.required ?? []));
  const known = new Set(schemas.flatMap((schema) => Object.keys(schema.properties ?? {})));
  const share = place.isMinimal ? 0 : (OPTIONAL_SHARES[place.attempt] ?? 0);
  const chosen = new Set(
    [...known].filter((name) => required.has(name) || (isNameValid(name) && random.next() < share)),
  );
  for (const name of required) chosen.add(name);
  // Chosen properties may require further properties and schemas. Both collections may grow during the loop.
  for (const name of chosen) {
    for (const schema of schemas) {
      const expanded = expand([readOwn(schema.dependentSchemas, name) ?? true], generation, place);
      if (!expanded) return NONE;
      schemas.push(...expanded.filter((each) => !schemas.includes(each)));
      const names = readOwn(schema.dependentRequired, name) ?? [];
      for (const more of [...names, ...expanded.flatMap((each) => each.required ?? [])]) {
        required.add(more);
        chosen.add(more);
      }
    }
  }
  if ([...required].some((name) => !isNameValid(name)) || required.size > max) return NONE;

  const entries: [string, unknown][] = [];
  const tried = new Set<string>();
  const add = (name: string): boolean => {
    tried.add(name);
    const value = generateValue(collectPropertySchemas(schemas, name), name, place.depth + 1, generation);
    if (value === NONE) return false;
    entries.push([name, value]);
    generation.written += name.length + 4;
    return true;
  };
  let optionalLeft = max - required.size;
  for (const name of chosen) {
    if (!required.has(name) && (optionalLeft-- <= 0 || !isNameValid(name))) continue;
    if (!add(name) && required.has(name)) return NONE;
  }
  // A map of names to values (no properties of its own) would look empty without an entry or two.
  const asMap = known.size === 0 && !place.isMinimal && place.attempt < 2 && schemas.some(isMap);
  const target = Math.min(max, Math.max(min, asMap ? random.int(1, 2) : 0));
  const remaining = [...known].filter((name) => !chosen.has(name));
  for (let i = 0; entries.length < target && i < NAME_TRIES + target; i++) {
    const name = remaining.shift() ?? generateName(schemas, nameRules, place.depth, generation, i);
    if (name !== undefined && !tried.has(name) && isNameValid(name)) add(name);
  }
  return entries.length < min ? NONE : Object.fromEntries(entries);
}

function readOwn<T>(map: Readonly<Record<string, T>> | undefined, name: string): T | undefined {
  return map && Object.hasOwn(map, name) ? map[name] : undefined;
}

function isMap(schema: SchemaObject): boolean {
  return (
    typeof schema.additionalProperties === 'object' || Object.keys(schema.patternProperties ?? {}).length > 0
  );
}

function collectPropertySchemas(schemas: readonly SchemaObject[], name: string): Schema[] {
  return schemas.flatMap(({ properties, patternProperties = {}, additionalProperties }) => {
    const property = readOwn(properties, name);
    const found = property === undefined ? [] : [property];
    for (const [source, inner] of Object.entries(patternProperties))
      if (createLinearPattern(source).test(name)) found.push(inner);
    return found.length === 0 && additionalProperties !== undefined ? [additionalProperties] : found;
  });
}

/** A name for a property that the schema does not list. */
function generateName(
  schemas: readonly SchemaObject[],
  nameRules: readonly Schema[],
  depth: number,
  generation: Generation,
  attempt: number,
): string | undefined {
  const { random } = generation;
  const sources = schemas.flatMap((schema) => Object.keys(schema.patternProperties ?? {}));
  const isClosed = schemas.some((schema) => schema.additionalProperties === false);
  if (sources.length > 0 && (isClosed || attempt % 2 === 0)) {
    const pattern = random.pick(sources);
    const core = generateString([{ pattern, maxLength: 64 }], '', generation);
    const word = pickWord(random);
    // The part that the pattern leaves open looks like a name.
    return core === NONE
      ? undefined
      : [core + word, word + core, core].find(createLinearPattern(pattern).test);
  }
  if (nameRules.length === 0) return getFaker(random).word.noun();
  const name = generateValue([{ type: 'string' }, ...nameRules], 'key', depth + 1, generation);
  return typeof name === 'string' ? name : undefined;
}
