import { findByPointer } from '../../../spec/json.js';
import { evaluate } from '../../../spec/json-schema/evaluate.js';
import type { Schema, SchemaError } from '../../../spec/json-schema/schema.js';
import { createLinearPattern } from '../../../spec/linear-pattern.js';
import { showJson } from '../../../spec/show.js';
import type { SchemaDocument } from './document.js';
import { isOfFormat } from './formats.js';

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
