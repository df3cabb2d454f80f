import { valueAt } from '../../spec/json-pointer.js';
import { type Checker, type Complaint, MOST_FOLLOWED, TooManySteps } from './checker.js';
import { checkerOf } from './compiled.js';
import type { SchemaDocument } from './document.js';
import { type Schema, shown, UnusableSchema } from './schema.js';
import { guardedText } from './schema-guard.js';
import { boundedText, SCHEMA_LIMITS } from './size.js';

/** Holds one value against the schema: a message that says where and what, or undefined when it fits. */
export type Validate = (value: unknown) => string | undefined;

/** A schema made ready. */
export interface CompiledSchema {
  document: SchemaDocument;
  validate: Validate;
  /** Whether a value fits one of the document's subschemas. */
  fits(schema: Schema, value: unknown): boolean;
}

const CACHED_SCHEMAS = 200;
const CACHED_CHARACTERS = 4 * 1024 * 1024;

const cache = new Map<string, CompiledSchema>();
let cachedCharacters = 0;

/**
 * A validator for a schema of draft 2020-12 from anywhere. No value makes it hang: patterns run in linear time, and the
 * references followed are counted. Throws UnusableSchema for what `checkSchema` refuses.
 */
export function compileSchema(schema: unknown): Validate {
  return compile(schema).validate;
}

/** `compileSchema` with the parts the generator needs. Kept by JSON text, least recently used dropped first. */
export function compile(schema: unknown): CompiledSchema {
  const bounded = boundedText(schema, SCHEMA_LIMITS);
  if ('problem' in bounded) throw new UnusableSchema(bounded.problem);
  const { text } = bounded;
  const known = cache.get(text);
  if (known) {
    cache.delete(text);
    cache.set(text, known);
    return known;
  }
  const guarded = guardedText(text);
  if ('problem' in guarded) throw new UnusableSchema(guarded.problem);
  const made = build(guarded.document, text);
  cache.set(text, made);
  cachedCharacters += text.length;
  for (const oldest of cache.keys()) {
    if (cache.size <= CACHED_SCHEMAS && cachedCharacters <= CACHED_CHARACTERS) break;
    cache.delete(oldest);
    cachedCharacters -= oldest.length;
  }
  return made;
}

function build(document: SchemaDocument, text: string): CompiledSchema {
  const run = (check: Checker, schema: Schema, value: unknown): string | undefined => {
    try {
      const complaint = check(schema, value);
      return complaint && message(complaint, value);
    } catch (error) {
      if (error instanceof TooManySteps || error instanceof RangeError) {
        return `the value cannot be held against the schema in ${MOST_FOLLOWED} steps`;
      }
      // Some combinations with unevaluatedProperties make the validator write code that does not run.
      return 'the schema combines its keywords in a way that the validator cannot run';
    }
  };
  try {
    const check = checkerOf(document, text);
    return {
      document,
      validate: (value) => run(check, document.root, value),
      fits: (schema, value) =>
        typeof schema === 'boolean' ? schema : run(check, schema, value) === undefined,
    };
  } catch (error) {
    const deep = error instanceof RangeError && 'references that lead from one to the next too often';
    const got = deep || (error instanceof Error ? error.message : 'one that cannot be compiled');
    throw new UnusableSchema({ pointer: '', expected: 'a schema that can be compiled', got });
  }
}

function message(error: Complaint, value: unknown): string {
  const at = valueAt(value, error.instancePath);
  const { allowedValue, allowedValues, additionalProperty } = error.params as Record<string, unknown>;
  const detail = allowedValue ?? allowedValues ?? additionalProperty;
  const expected = `${error.message ?? 'a fitting value'}${detail === undefined ? '' : ` (${shown(detail)})`}`;
  return `${error.instancePath || 'the value'} ${expected}, got ${shown(at)}`;
}
