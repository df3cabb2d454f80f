import { childPointer } from '../../../spec/json-pointer.js';
import type { Schema, SchemaObject } from '../../../spec/json-schema/schema.js';
import { inPlace, type SchemaDocument } from './document.js';
import type { SchemaProblem } from './metaschema.js';

/** How large a schema may be: bytes of its JSON text in UTF-8, values in it, values inside each other. */
const MOST_BYTES = 256 * 1024;
const MOST_VALUES = 5_000;
const DEEPEST = 32;
/** Schemas that one value may have to be held against. Doubling references reach a million in twenty lines. */
const MOST_IN_PLACE = 20_000;
/** References and combinations in a row. The evaluator follows them by recursion. */
const LONGEST_CHAIN = 200;

/**
 * The JSON text of a value that came from anywhere, or what keeps it from being read: too large, too deep, no JSON,
 * or a key that would change an object's prototype. Stops at the first bound.
 */
export function boundedText(value: unknown): { text: string } | { problem: SchemaProblem } {
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

/** What unfolds from one schema at one place: how many schemas, and how many in a row. */
interface Extent {
  sum: number;
  chain: number;
}

/**
 * Refuses references that lead back to themselves without stepping into an object or array (checking any value would
 * never end), and ones that multiply (checking would end too late) or form a long chain.
 */
export function checkReferences(document: SchemaDocument): SchemaProblem | undefined {
  const extents = new Map<SchemaObject, Extent>();
  let problem: SchemaProblem | undefined;
  const refuse = (schema: SchemaObject, expected: string, got: string): Extent => {
    problem ??= { pointer: document.pointers.get(schema) ?? '', expected, got };
    return { sum: 1, chain: 1 };
  };

  /** `above`: schemas that are being measured, from which this one was reached. */
  const measure = (schema: Schema, above: ReadonlySet<SchemaObject>): Extent => {
    const extent: Extent = { sum: 1, chain: 1 };
    if (typeof schema === 'boolean' || problem) return extent;
    const known = extents.get(schema);
    if (known) return known;
    if (above.has(schema))
      return refuse(schema, 'a recursion that goes through an object or an array', 'one that never ends');
    if (above.size >= LONGEST_CHAIN)
      return refuse(schema, `at most ${LONGEST_CHAIN} references in a row`, 'more');
    const path = new Set(above).add(schema);
    for (const inner of inPlace(schema, document)) {
      const { sum, chain } = measure(inner, path);
      extent.sum += sum;
      extent.chain = Math.max(extent.chain, chain + 1);
    }
    if (extent.chain > LONGEST_CHAIN) refuse(schema, `at most ${LONGEST_CHAIN} references in a row`, 'more');
    const expected = `references and combinations that unfold to at most ${MOST_IN_PLACE} schemas`;
    if (extent.sum > MOST_IN_PLACE) refuse(schema, expected, 'more');
    extents.set(schema, extent);
    return extent;
  };

  for (const schema of document.pointers.keys()) measure(schema, new Set());
  return problem;
}
