import { childPointer } from '../../spec/json-pointer.js';
import type { Schema } from '../../spec/json-schema/schema.js';
import { NONE } from './bounds.js';
import { generateValue } from './generate-value.js';
import { type Generation, WorkLimitReached } from './generation.js';
import { minimumDepths } from './minimum-depth.js';
import type { Random } from './random.js';
import type { SchemaDocument } from './schema/document.js';
import { type SchemaProblem, shown } from './schema/problem.js';
import { readSchema } from './schema/read-schema.js';
import { validate } from './schema/validate.js';

export interface GenerateOptions {
  /** What the value stands for ("city", "get_weather"): texts and numbers are chosen to suit it. */
  name?: string;
  /** Most characters of the value's JSON text. Default 65,536. */
  characters?: number;
  /** Attempts at a value before the schema is called unsatisfiable. Default 50. */
  attempts?: number;
}

const CHARACTERS = 64 * 1024;
const ATTEMPTS = 50;
/** Attempts that go without checks inside: nearly every schema is done with the first. */
const QUICK_ATTEMPTS = 2;
/** Work of all attempts together: about half a second where every attempt fails. */
const WORK = 30_000;
const MOST_ITEMS = 1_000;
const MOST_CHARACTERS = 10_000;
const MOST_PROPERTIES = 1_000;

const depths = new WeakMap<SchemaDocument, (schema: Schema) => number>();

/**
 * A value that satisfies a schema of draft 2020-12, held against it before it is returned; or what is wrong with the
 * schema. The same schema and the same state of `random` give the same value. Bounded in time and size for any schema.
 */
export function generate(
  schema: unknown,
  random: Random,
  options: GenerateOptions = {},
): { value: unknown } | { problem: SchemaProblem } {
  const read = readSchema(schema);
  if ('problem' in read) return read;
  const { document } = read;
  const large = findTooLarge(document);
  if (large) return { problem: large };
  const minimumDepth = depths.get(document) ?? minimumDepths(document);
  depths.set(document, minimumDepth);
  const { root } = document;
  if (minimumDepth(root) === Number.POSITIVE_INFINITY) {
    const got = root === false ? 'false' : 'one that needs itself without end, or false, in every case';
    return { problem: { pointer: '', expected: 'a schema that some value satisfies', got } };
  }
  return attempt(document, minimumDepth, random, options);
}

function attempt(
  document: SchemaDocument,
  minimumDepth: (schema: Schema) => number,
  random: Random,
  { name = '', characters = CHARACTERS, attempts = ATTEMPTS }: GenerateOptions,
): { value: unknown } | { problem: SchemaProblem } {
  let work = WORK;
  let reason: string | undefined;
  let made = 0;
  for (; made < attempts && work > 0; made++) {
    const generation: Generation = {
      document,
      minimumDepth,
      random,
      isCareful: made >= QUICK_ATTEMPTS,
      work,
      written: 0,
    };
    let value: unknown = NONE;
    try {
      value = generateValue([document.root], name, 0, generation);
    } catch (error) {
      if (!(error instanceof WorkLimitReached)) throw error;
      reason ??= 'a search that took too long';
    }
    work = generation.work;
    if (value === NONE) continue;
    const size = JSON.stringify(value).length;
    if (size > characters) reason = `values of ${size} characters (at most ${characters})`;
    else {
      const mismatch = validate(document, value);
      if (mismatch === undefined) return { value };
      reason = mismatch.message;
    }
  }
  const got = `no fitting value in ${made} ${made === 1 ? 'attempt' : 'attempts'}; the last failed on: ${reason ?? 'keywords that contradict each other'}`;
  return { problem: { pointer: '', expected: 'a schema that a value can be made for', got } };
}

const BOUNDS = [
  ['minItems', MOST_ITEMS],
  ['minContains', MOST_ITEMS],
  ['minLength', MOST_CHARACTERS],
  ['minProperties', MOST_PROPERTIES],
] as const;
const PAIRS = [
  ['minItems', 'maxItems'],
  ['minLength', 'maxLength'],
  ['minProperties', 'maxProperties'],
] as const;

/** Lower bounds that no result of sensible size satisfies, wherever they stand. */
function findTooLarge(document: SchemaDocument): SchemaProblem | undefined {
  for (const [schema, pointer] of document.pointers) {
    for (const [keyword, most] of BOUNDS) {
      const bound = schema[keyword];
      if (bound !== undefined && bound > most) {
        return { pointer: childPointer(pointer, keyword), expected: `at most ${most}`, got: shown(bound) };
      }
    }
    if (schema !== document.root) continue;
    for (const [low, high] of PAIRS) {
      const [min, max] = [schema[low], schema[high]];
      if (min !== undefined && max !== undefined && min > max) {
        return { pointer: childPointer(pointer, low), expected: `at most ${high} (${max})`, got: shown(min) };
      }
    }
  }
  return undefined;
}
