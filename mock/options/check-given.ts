import { validatorOf } from '../../spec/json-schema/evaluate.js';
import type { Schema, SchemaObject, TypeName } from '../../spec/json-schema/schema.js';
import { findViolations } from '../../spec/json-schema/violations.js';

/** JSON has no functions; our evaluator asks `typeof`. */
export const aFunction: SchemaObject = { type: 'function' as TypeName };

/** A whole number, or Infinity for no bound. */
export function wholeFrom(minimum: number): SchemaObject {
  const expected = `a whole number from ${minimum}`;
  return { anyOf: [{ type: 'integer', minimum }, { const: Infinity }], 'x-expected': expected };
}

/** An object with options: a schema for every one that the type has, or it does not compile. */
export function optionsOf<T>(
  properties: { readonly [Name in keyof Required<T>]: Schema },
  expected = 'an object',
): SchemaObject {
  return { type: 'object', properties, additionalProperties: false, 'x-expected': expected };
}

/** Throws TypeError for an unknown option or a wrong one: what is only ignored would be noticed late. */
export function checkGiven(caller: string, given: unknown, schema: SchemaObject): void {
  const options = { ...schema, 'x-expected': 'an object of options' };
  const [violation] = findViolations(validatorOf(options), given);
  if (violation) throw new TypeError(`${caller}: ${violation.message}`);
}
