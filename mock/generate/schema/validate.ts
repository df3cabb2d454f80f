import { valueAt } from '../../../spec/json-pointer.js';
import { evaluate } from '../../../spec/json-schema/evaluate.js';
import type { Schema, SchemaError } from '../../../spec/json-schema/schema.js';
import type { SchemaDocument } from './document.js';
import { isOfFormat } from './formats.js';
import { linearPattern } from './patterns.js';
import { shown } from './problem.js';

/** Why a value does not satisfy a schema. */
export interface Mismatch {
  /** The keyword that refused it; `steps` where the check was abandoned. */
  keyword: string;
  /** Where, what was expected and what was found. */
  message: string;
}

/** References followed in one validation: a schema and a value that are both recursive could take exponential time. */
const MOST_STEPS = 100_000;

class TooManySteps extends Error {}

/** Validates a value by a schema from outside. No value makes it hang: patterns run in linear time, references are counted. */
export function validate(document: SchemaDocument, value: unknown): Mismatch | undefined {
  return mismatch(document, document.root, value);
}

/** Whether a value is valid by one of the document's subschemas. True for schemas that are not part of the document. */
export function isValid(document: SchemaDocument, schema: Schema, value: unknown): boolean {
  if (typeof schema === 'boolean') return schema;
  return !document.pointers.has(schema) || mismatch(document, schema, value) === undefined;
}

function mismatch(document: SchemaDocument, schema: Schema, value: unknown): Mismatch | undefined {
  let steps = 0;
  const resolve = (reference: string) => {
    if (++steps > MOST_STEPS) throw new TooManySteps();
    return document.resolve(reference);
  };
  try {
    const [error] = evaluate(schema, value, { resolve, pattern, isOfFormat, allErrors: false });
    return error && { keyword: error.keyword, message: describe(error, value) };
  } catch (error) {
    if (!(error instanceof TooManySteps || error instanceof RangeError)) throw error;
    return { keyword: 'steps', message: `the value cannot be validated in ${MOST_STEPS} steps` };
  }
}

const NEVER = { test: () => false };

/** For a pattern of a schema that was read: the linear-time engine accepts it. */
export function pattern(source: string): { test(text: string): boolean } {
  const compiled = linearPattern(source);
  return typeof compiled === 'string' ? NEVER : compiled;
}

function describe({ instancePath, message, params }: SchemaError, value: unknown): string {
  const detail = params['allowedValue'] ?? params['allowedValues'] ?? params['additionalProperty'];
  const expected = `${message}${detail === undefined ? '' : ` (${shown(detail)})`}`;
  return `${instancePath || 'the value'} ${expected}, got ${shown(valueAt(value, instancePath))}`;
}
