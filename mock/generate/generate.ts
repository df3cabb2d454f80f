import { NONE } from './bounds.js';
import { grow } from './grow.js';
import { type Growth, OutOfWork } from './growth.js';
import { measureHeights } from './heights.js';
import type { Random } from './random.js';
import { below, type Schema, type SchemaProblem, shown, UnusableSchema } from './schema.js';
import { type CompiledSchema, compile } from './validate.js';

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

const heights = new WeakMap<CompiledSchema, (schema: Schema) => number>();

/**
 * A value that satisfies a schema of draft 2020-12, held against it before it is returned; or what is wrong with the
 * schema. The same schema and the same state of `random` give the same value. Bounded in time and size for any schema.
 */
export function generate(
  schema: unknown,
  random: Random,
  options: GenerateOptions = {},
): { value: unknown } | { problem: SchemaProblem } {
  let compiled: CompiledSchema;
  try {
    compiled = compile(schema);
  } catch (error) {
    if (error instanceof UnusableSchema) return { problem: error.problem };
    throw error;
  }
  const large = findTooLarge(compiled);
  if (large) return { problem: large };
  const height = heights.get(compiled) ?? measureHeights(compiled.document);
  heights.set(compiled, height);
  const { root } = compiled.document;
  if (height(root) === Number.POSITIVE_INFINITY) {
    const got = root === false ? 'false' : 'one that needs itself without end, or false, in every case';
    return { problem: { pointer: '', expected: 'a schema that some value satisfies', got } };
  }
  return attempt(compiled, height, random, options);
}

function attempt(
  compiled: CompiledSchema,
  height: (schema: Schema) => number,
  random: Random,
  { name = '', characters = CHARACTERS, attempts = ATTEMPTS }: GenerateOptions,
): { value: unknown } | { problem: SchemaProblem } {
  let work = WORK;
  let reason: string | undefined;
  let made = 0;
  for (; made < attempts && work > 0; made++) {
    const growth: Growth = { compiled, height, random, careful: made >= QUICK_ATTEMPTS, work, written: 0 };
    let value: unknown = NONE;
    try {
      value = grow([compiled.document.root], name, 0, growth);
    } catch (error) {
      if (!(error instanceof OutOfWork)) throw error;
      reason ??= 'a search that took too long';
    }
    work = growth.work;
    if (value === NONE) continue;
    const size = JSON.stringify(value).length;
    if (size > characters) reason = `values of ${size} characters (at most ${characters})`;
    else {
      const mismatch = compiled.validate(value);
      if (mismatch === undefined) return { value };
      reason = mismatch;
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
function findTooLarge({ document }: CompiledSchema): SchemaProblem | undefined {
  for (const [schema, pointer] of document.pointers) {
    for (const [keyword, most] of BOUNDS) {
      const bound = schema[keyword];
      if (bound !== undefined && bound > most) {
        return { pointer: below(pointer, keyword), expected: `at most ${most}`, got: shown(bound) };
      }
    }
    if (schema !== document.root) continue;
    for (const [low, high] of PAIRS) {
      const [min, max] = [schema[low], schema[high]];
      if (min !== undefined && max !== undefined && min > max) {
        return { pointer: below(pointer, low), expected: `at most ${high} (${max})`, got: shown(min) };
      }
    }
  }
  return undefined;
}
