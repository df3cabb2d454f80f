import { appendPointer, findByPointer } from '../../../spec/json.js';
import { evaluate } from '../../../spec/json-schema/evaluate.js';
import type { Schema, SchemaError } from '../../../spec/json-schema/schema.js';
import { createLinearPattern } from '../../../spec/linear-pattern.js';
import { showJson } from '../../../spec/show.js';
import { readDocument, type SchemaDocument } from './document.js';
import { isOfFormat } from './formats.js';
import { catchProblem, refuse, type SchemaProblem } from './metaschema.js';

/** Limits of a schema: bytes of its JSON text in UTF-8, number of values, depth. */
const MOST_BYTES = 256 * 1024;
const MOST_VALUES = 5_000;
const DEEPEST = 32;

type SchemaResult = { document: SchemaDocument } | { problem: SchemaProblem };

const MOST_CACHED = 500;
const MOST_CACHED_CHARACTERS = 4 * 1024 * 1024;

const cache = new Map<string, SchemaResult>();
let cachedCharacters = 0;

/**
 * Prepares a schema of a client for validation and generation, or returns its problem. Bounded in time and
 * memory for every input: size, depth, valid by the metaschema of draft 2020-12, references that exist inside
 * the schema, patterns of linear time. Section "Task creation request" (`response_model`) and "Custom tool
 * definition" (`inputs`). Equal schemas are read once; a full cache is cleared.
 */
export function readSchema(schema: unknown): SchemaResult {
  return catchProblem(() => {
    const text = toBoundedText(schema);
    const known = cache.get(text);
    if (known) return known;
    const read = catchProblem(() => ({ document: readDocument(JSON.parse(text) as Schema) }));
    cachedCharacters += text.length;
    if (cache.size >= MOST_CACHED || cachedCharacters > MOST_CACHED_CHARACTERS) {
      cache.clear();
      cachedCharacters = text.length;
    }
    cache.set(text, read);
    return read;
  });
}

/**
 * The JSON text of any value. Refuses values that are too large, too deep or no JSON, or that have a key that
 * would change an object's prototype. Stops at the first bound.
 */
function toBoundedText(root: unknown): string {
  let values = 0;
  let characters = 0;
  const path: string[] = [];
  visit(root);
  const text = JSON.stringify(root);
  // A UTF-16 unit has at most three bytes.
  const bytes = 3 * text.length <= MOST_BYTES ? 0 : new TextEncoder().encode(text).length;
  return bytes <= MOST_BYTES ? text : stop(`at most ${MOST_BYTES} bytes of JSON`, String(bytes));

  function stop(expected: string, got: string): never {
    throw refuse(path.reduce(appendPointer, ''), expected, got);
  }

  function visit(value: unknown): void {
    if (typeof value === 'string') characters += value.length;
    if (++values > MOST_VALUES) stop(`at most ${MOST_VALUES} values in the schema`, 'more');
    if (path.length > DEEPEST) stop(`at most ${DEEPEST} levels`, 'more');
    if (characters > MOST_BYTES) stop(`at most ${MOST_BYTES} bytes of JSON`, 'more');
    if (value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value))
      return;
    if (typeof value !== 'object')
      throw stop('a JSON value', typeof value === 'number' ? String(value) : typeof value);
    const keys = Object.keys(value);
    if (keys.length > MOST_VALUES)
      stop(`at most ${MOST_VALUES} values in the schema`, `${keys.length} of them here`);
    for (const key of keys) {
      if (key === '__proto__') stop('names other than __proto__', '__proto__');
      if (!Array.isArray(value)) characters += key.length;
      path.push(key);
      visit((value as Record<string, unknown>)[key]);
      path.pop();
    }
  }
}

interface Mismatch {
  /** The keyword that refused it; `steps` if the validation was abandoned. */
  keyword: string;
  message: string;
}

/** References followed in one validation: a schema and a value that are both recursive could take exponential time. */
const MOST_STEPS = 100_000;

class TooManySteps extends Error {}

/**
 * Validates a value by a client's schema or a part of it. Terminates for every value: patterns run in linear
 * time, references are counted.
 */
export function validate(
  document: SchemaDocument,
  value: unknown,
  schema: Schema = document.root,
): Mismatch | undefined {
  let steps = 0;
  const resolve = (reference: string) => {
    if (++steps > MOST_STEPS) throw new TooManySteps();
    return document.resolve(reference);
  };
  try {
    const [error] = evaluate(schema, value, {
      resolve,
      pattern: createLinearPattern,
      isOfFormat,
      allErrors: false,
    });
    return error && { keyword: error.keyword, message: describe(error, value) };
  } catch (error) {
    if (!(error instanceof TooManySteps || error instanceof RangeError)) throw error;
    return { keyword: 'steps', message: `the value cannot be validated in ${MOST_STEPS} steps` };
  }
}

function describe(
  { keyword, instancePath, message, parentSchema, property }: SchemaError,
  value: unknown,
): string {
  const detail = { const: parentSchema.const, enum: parentSchema.enum, additionalProperties: property };
  const about = detail[keyword as keyof typeof detail];
  const expected = `${message}${about === undefined ? '' : ` (${showJson(about)})`}`;
  return `${instancePath || 'the value'} ${expected}, got ${showJson(findByPointer(value, instancePath))}`;
}
