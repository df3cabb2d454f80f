import type { Schema, SchemaObject } from '../../spec/json-schema/schema.js';
import { least, most, NONE } from './bounds.js';
import { type Conjunction, expand, type SchemaChoices } from './conjunction.js';
import { generateValue } from './generate-value.js';
import { type Generation, spend } from './generation.js';
import { linearPattern } from './schema/patterns.js';
import { isValid } from './schema/validate.js';
import { fakerFor } from './text/faker.js';
import { textAround } from './text/text-around.js';

/** How often a property that may be left out is made: mostly at first, less where that failed. */
const OPTIONAL_SHARES = [0.9, 0.6, 0.3, 0];
const NAME_TRIES = 30;

/** An object that fits the schemas, or NONE. */
export function generateObject(
  conjunction: Conjunction,
  depth: number,
  generation: Generation,
  choices: SchemaChoices,
): Record<string, unknown> | typeof NONE {
  const { schemas, absent } = conjunction;
  const { random, document } = generation;
  const max = least(schemas, 'maxProperties', Number.POSITIVE_INFINITY);
  const min = most(schemas, 'minProperties', 0);
  if (min > max) return NONE;

  const nameRules = schemas.flatMap(({ propertyNames }) =>
    propertyNames === undefined ? [] : [propertyNames],
  );
  const nameFits = (name: string) =>
    name !== '__proto__' && !absent.has(name) && nameRules.every((rule) => isValid(document, rule, name));
  const required = new Set(schemas.flatMap((schema) => schema.required ?? []));
  const known = new Set(schemas.flatMap((schema) => Object.keys(schema.properties ?? {})));
  const share = choices.isMinimal
    ? 0
    : OPTIONAL_SHARES[Math.min(choices.attempt, OPTIONAL_SHARES.length - 1)]!;
  const chosen = new Set(
    [...known].filter((name) => required.has(name) || (nameFits(name) && random.next() < share)),
  );
  for (const name of required) chosen.add(name);
  if (!closeOver(chosen, required, conjunction, choices)) return NONE;
  if ([...required].some((name) => !nameFits(name)) || required.size > max) return NONE;

  const entries: [string, unknown][] = [];
  const tried = new Set<string>();
  const add = (name: string): boolean => {
    tried.add(name);
    const value = generateValue(schemasFor(conjunction.schemas, name), name, depth + 1, generation);
    if (value === NONE) return false;
    entries.push([name, value]);
    generation.written += name.length + 4;
    return true;
  };
  let optionalLeft = max - required.size;
  for (const name of chosen) {
    if (!required.has(name) && (optionalLeft-- <= 0 || !nameFits(name))) continue;
    if (!add(name) && required.has(name)) return NONE;
  }
  for (const name of known) {
    if (entries.length >= min) break;
    if (!tried.has(name) && nameFits(name) && !bringsMore(schemas, name)) add(name);
  }
  // A map of names to values (no properties of its own) would look empty without an entry or two.
  const asMap = known.size === 0 && !choices.isMinimal && choices.attempt < 2 && schemas.some(isMap);
  const wanted = Math.min(max, Math.max(min, asMap ? random.int(1, 2) : 0));
  for (let i = 0; entries.length < wanted && i < NAME_TRIES + wanted; i++) {
    const name = newName(conjunction.schemas, nameRules, depth, generation, i);
    if (name !== undefined && !tried.has(name) && nameFits(name)) add(name);
  }
  if (entries.length < min) return NONE;
  return Object.fromEntries(entries);
}

/** Adds what chosen properties bring with them: further required ones, and further schemas. False on contradiction. */
function closeOver(
  chosen: Set<string>,
  required: Set<string>,
  conjunction: Conjunction,
  choices: SchemaChoices,
): boolean {
  const require = (names: readonly string[]) => {
    for (const name of names) {
      required.add(name);
      chosen.add(name);
    }
  };
  // Both the names and the schemas may generateValue while they are gone through.
  for (const name of chosen) {
    for (const schema of conjunction.schemas) {
      for (const list of [schema.dependentRequired, schema.dependentSchemas, schema.dependencies]) {
        const brought = list && Object.hasOwn(list, name) ? list[name] : undefined;
        if (brought === undefined) continue;
        if (Array.isArray(brought)) {
          require(brought);
          continue;
        }
        const more = expand([brought], choices);
        if (!more) {
          if (required.has(name)) return false;
          chosen.delete(name);
          continue;
        }
        for (const one of more.schemas) {
          if (conjunction.schemas.includes(one)) continue;
          conjunction.schemas.push(one);
          require(one.required ?? []);
        }
        for (const missing of more.absent) conjunction.absent.add(missing);
      }
    }
  }
  return true;
}

function bringsMore(schemas: readonly SchemaObject[], name: string): boolean {
  return schemas.some((schema) =>
    [schema.dependentRequired, schema.dependentSchemas, schema.dependencies].some(
      (list) => list && Object.hasOwn(list, name),
    ),
  );
}

function isMap(schema: SchemaObject): boolean {
  return (
    typeof schema.additionalProperties === 'object' || Object.keys(schema.patternProperties ?? {}).length > 0
  );
}

/** All the schemas that the value of a property must fit. */
function schemasFor(schemas: readonly SchemaObject[], name: string): Schema[] {
  const found: Schema[] = [];
  let evaluated = false;
  for (const schema of schemas) {
    let own = false;
    if (schema.properties && Object.hasOwn(schema.properties, name)) {
      found.push(schema.properties[name]!);
      own = true;
    }
    for (const [source, inner] of Object.entries(schema.patternProperties ?? {})) {
      const pattern = linearPattern(source);
      if (typeof pattern === 'string' || !pattern.test(name)) continue;
      found.push(inner);
      own = true;
    }
    if (!own && schema.additionalProperties !== undefined) {
      found.push(schema.additionalProperties);
      own = true;
    }
    evaluated ||= own;
  }
  if (evaluated) return found;
  return schemas.flatMap((schema) =>
    schema.unevaluatedProperties === undefined ? [] : [schema.unevaluatedProperties],
  );
}

/** A name for a property that the schema does not list. */
function newName(
  schemas: readonly SchemaObject[],
  nameRules: readonly Schema[],
  depth: number,
  generation: Generation,
  attempt: number,
): string | undefined {
  const sources = schemas.flatMap((schema) => Object.keys(schema.patternProperties ?? {}));
  const closed = schemas.some((schema) => schema.additionalProperties === false);
  if (sources.length > 0 && (closed || attempt % 2 === 0)) {
    const source = generation.random.pick(sources);
    return textAround({
      patterns: [source],
      min: 0,
      max: 64,
      random: generation.random,
      spend: (units) => spend(generation, units),
    });
  }
  if (nameRules.length === 0) return fakerFor(generation.random).word.noun();
  const name = generateValue([{ type: 'string' }, ...nameRules], 'key', depth + 1, generation);
  return typeof name === 'string' ? name : undefined;
}
