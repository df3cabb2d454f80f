import type { ErrorObject, Format, ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { readDocument, type SchemaDocument } from './document.js';
import { LINEAR_FORMATS } from './formats.js';
import { linearPattern } from './patterns.js';
import { type Schema, type SchemaObject, shown, UnusableSchema } from './schema.js';
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
/** References followed in one validation. What is recursive on both sides could otherwise take exponential time. */
const MOST_FOLLOWED = 100_000;
const STEP = 'x-followed';

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

class TooManySteps extends Error {}

function build(document: SchemaDocument, text: string): CompiledSchema {
  // One instance a schema: an instance never forgets the code it made, and schemas must not meet by their $id.
  const ajv = new Ajv2020({
    strict: false,
    meta: false,
    validateSchema: false,
    logger: false,
    inlineRefs: false,
    ownProperties: true,
    // 19.99 is a multiple of 0.01 to everybody but to binary fractions.
    multipleOfPrecision: 9,
    formats: LINEAR_FORMATS as Record<string, Format>,
    code: { regExp: Object.assign(linearRegExp, { code: 'linearRegExp' }) },
  });
  let steps = 0;
  ajv.addKeyword({
    keyword: STEP,
    before: '$ref',
    errors: false,
    validate: () => {
      if (++steps > MOST_FOLLOWED) throw new TooManySteps();
      return true;
    },
  });
  const root = 'schema:root';
  try {
    ajv.addSchema(compilable(text), root);
    const parts = new Map<Schema, ValidateFunction | undefined>();
    const part = (schema: Schema): ValidateFunction | undefined => {
      const pointer = typeof schema === 'boolean' ? undefined : document.pointers.get(schema);
      if (pointer === undefined) return undefined;
      if (!parts.has(schema)) {
        parts.set(schema, ajv.getSchema(`${root}#${pointer.split('/').map(encodeURIComponent).join('/')}`));
      }
      return parts.get(schema);
    };
    const whole = ajv.getSchema(root);
    if (!whole) throw new Error('the schema could not be compiled');
    const run = (check: ValidateFunction, value: unknown): string | undefined => {
      steps = 0;
      try {
        return check(value) ? undefined : message(check.errors?.[0], value);
      } catch (error) {
        if (error instanceof TooManySteps || error instanceof RangeError) {
          return `the value cannot be held against the schema in ${MOST_FOLLOWED} steps`;
        }
        // Some combinations with unevaluatedProperties make the validator write code that does not run.
        return 'the schema combines its keywords in a way that the validator cannot run';
      }
    };
    return {
      document,
      validate: (value) => run(whole, value),
      fits: (schema, value) => {
        if (typeof schema === 'boolean') return schema;
        const check = part(schema);
        return check === undefined || run(check, value) === undefined;
      },
    };
  } catch (error) {
    const deep = error instanceof RangeError && 'references that lead from one to the next too often';
    const got = deep || (error instanceof Error ? error.message : 'one that cannot be compiled');
    throw new UnusableSchema({ pointer: '', expected: 'a schema that can be compiled', got });
  }
}

function linearRegExp(source: string): { test(text: string): boolean } {
  const pattern = linearPattern(source);
  if (typeof pattern === 'string') throw new Error(`pattern ${shown(source)}: ${pattern}`);
  return pattern;
}

/** A copy that the validator takes as it is meant: what it would stumble over is left out, references are counted. */
function compilable(text: string): Schema {
  const root = JSON.parse(text) as Schema;
  const read = readDocument(root);
  const nodes: Iterable<SchemaObject> = 'document' in read ? read.document.pointers.keys() : [];
  for (const node of [...nodes]) {
    for (const keyword of ['$schema', '$id', 'id']) delete node[keyword];
    if (node.type === undefined) delete node.nullable;
    if (node.format !== undefined && !Object.hasOwn(LINEAR_FORMATS, node.format)) delete node.format;
    if (node.$ref !== undefined || node.$dynamicRef !== undefined) node[STEP] = true;
  }
  return root;
}

function message(error: ErrorObject | undefined, value: unknown): string {
  if (!error) return 'the value does not fit the schema';
  let at = value;
  for (const key of error.instancePath.split('/').slice(1)) {
    at = (at as Record<string, unknown> | undefined)?.[key.replaceAll('~1', '/').replaceAll('~0', '~')];
  }
  const { allowedValue, allowedValues, additionalProperty } = error.params as Record<string, unknown>;
  const detail = allowedValue ?? allowedValues ?? additionalProperty;
  const expected = `${error.message ?? 'a fitting value'}${detail === undefined ? '' : ` (${shown(detail)})`}`;
  return `${error.instancePath || 'the value'} ${expected}, got ${shown(at)}`;
}
