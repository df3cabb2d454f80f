import { childPointer } from '../../../spec/json-pointer.js';
import type { Schema, SchemaObject } from '../../../spec/json-schema/schema.js';
import { compilePattern, MOST_STEPS } from '../../../spec/linear-pattern.js';
import { readDocument, type SchemaDocument } from './document.js';
import { type SchemaProblem, shown, UNSUPPORTED } from './metaschema.js';

/** Dialects whose usual keywords mean the same in draft 2020-12. Nothing is ever fetched. */
const KNOWN_DIALECT =
  /^https?:\/\/json-schema\.org\/(?:draft-0[4-7]\/schema|draft\/20(?:19-09|20-12)\/schema|schema)#?$/;

/** How large a schema may be: bytes of its JSON text in UTF-8, values in it, values inside each other. */
const MOST_BYTES = 256 * 1024;
const MOST_VALUES = 5_000;
const DEEPEST = 32;

type ReadSchema = { document: SchemaDocument } | { problem: SchemaProblem };

const MOST_CACHED = 500;
const MOST_CACHED_CHARACTERS = 4 * 1024 * 1024;

const cache = new Map<string, ReadSchema>();
let cachedCharacters = 0;

/**
 * A schema from outside, ready to validate and to generate values; or what makes it unusable. Bounded in time and memory
 * for every input: size, depth, valid by the metaschema of draft 2020-12, references that exist inside the schema,
 * patterns of linear time. Section "Task creation request" (`response_model`) and "Custom tool definition" (`inputs`).
 * Equal schemas are read once, until so many came that all are forgotten.
 */
export function readSchema(schema: unknown): ReadSchema {
  const bounded = boundedText(schema);
  if ('problem' in bounded) return bounded;
  const { text } = bounded;
  const known = cache.get(text);
  if (known) return known;
  const read = readText(text);
  cachedCharacters += text.length;
  if (cache.size >= MOST_CACHED || cachedCharacters > MOST_CACHED_CHARACTERS) {
    cache.clear();
    cachedCharacters = text.length;
  }
  cache.set(text, read);
  return read;
}

function readText(text: string): ReadSchema {
  const read = readDocument(JSON.parse(text) as Schema);
  if ('problem' in read) return read;
  const problem = checkKeywords(read.document);
  return problem ? { problem } : read;
}

function checkKeywords(document: SchemaDocument): SchemaProblem | undefined {
  let steps = 0;
  for (const [schema, at] of document.pointers) {
    const refuse = (keyword: string, expected: string): SchemaProblem => ({
      pointer: childPointer(at, keyword),
      expected,
      got: shown(schema[keyword]),
    });
    const { $schema, $id } = schema;
    if ($schema !== undefined && !KNOWN_DIALECT.test(String($schema)))
      return refuse('$schema', 'JSON Schema draft 2020-12');
    if ($id !== undefined && schema !== document.root) return refuse('$id', '$id at the root only');
    const unsupported = UNSUPPORTED.find((keyword) => schema[keyword] !== undefined);
    if (unsupported !== undefined) return refuse(unsupported, 'keywords of draft 2020-12 that are supported');
    if (schema.enum?.length === 0) return refuse('enum', 'at least one value');
    for (const [source, pointer] of patternsOf(schema, at)) {
      const pattern = compilePattern(source);
      const isRefused = typeof pattern === 'string';
      if (!isRefused) steps += pattern.steps;
      if (!isRefused && steps <= MOST_STEPS) continue;
      const expected = 'a pattern that an engine of linear time (RE2) can run';
      const got = isRefused ? pattern : `more than ${MOST_STEPS} steps in all patterns`;
      return { pointer, expected, got: `${shown(source)}: ${got}` };
    }
  }
  return undefined;
}

/** The patterns in a schema, with their pointers. */
function patternsOf({ pattern, patternProperties = {} }: SchemaObject, at: string): [string, string][] {
  const inNames = childPointer(at, 'patternProperties');
  const names = Object.keys(patternProperties).map((key): [string, string] => [
    key,
    childPointer(inNames, key),
  ]);
  return pattern === undefined ? names : [...names, [pattern, childPointer(at, 'pattern')]];
}

/**
 * The JSON text of a value that came from anywhere, or what keeps it from being read: too large, too deep, no JSON,
 * or a key that would change an object's prototype. Stops at the first bound.
 */
function boundedText(value: unknown): { text: string } | { problem: SchemaProblem } {
  const problem = checkSize(value, 0, { values: 0, characters: 0 });
  if (problem) return { problem };
  const text = JSON.stringify(value);
  const bytes = new TextEncoder().encode(text).length;
  if (bytes <= MOST_BYTES) return { text };
  return { problem: { pointer: '', expected: `at most ${MOST_BYTES} bytes of JSON`, got: `${bytes}` } };
}

function checkSize(
  value: unknown,
  depth: number,
  seen: { values: number; characters: number },
): SchemaProblem | undefined {
  const refuse = (expected: string, got: string): SchemaProblem => ({ pointer: '', expected, got });
  if (typeof value === 'string') seen.characters += value.length;
  if (++seen.values > MOST_VALUES) return refuse(`at most ${MOST_VALUES} values in the schema`, 'more');
  if (depth > DEEPEST) return refuse(`at most ${DEEPEST} levels`, 'more');
  if (seen.characters > MOST_BYTES) return refuse(`at most ${MOST_BYTES} bytes of JSON`, 'more');
  if (value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value))
    return undefined;
  if (typeof value !== 'object')
    return refuse('a JSON value', typeof value === 'number' ? String(value) : typeof value);
  const keys = Object.keys(value);
  if (keys.length > MOST_VALUES)
    return refuse(`at most ${MOST_VALUES} values in the schema`, `${keys.length} of them here`);
  for (const key of keys) {
    if (key === '__proto__') return refuse('names other than __proto__', '__proto__');
    if (!Array.isArray(value)) seen.characters += key.length;
    const problem = checkSize((value as Record<string, unknown>)[key], depth + 1, seen);
    if (problem) return { ...problem, pointer: childPointer('', key) + problem.pointer };
  }
  return undefined;
}
