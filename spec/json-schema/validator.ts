import { valueAt } from '../json-pointer.js';
import { evaluate } from './evaluate.js';
import type { Schema, SchemaError } from './schema.js';

/** Every error of a value; empty when it is valid. */
export type Validator = (value: unknown) => SchemaError[];

const patterns = new Map<string, RegExp>();

function pattern(source: string): RegExp {
  const known = patterns.get(source) ?? new RegExp(source, 'u');
  patterns.set(source, known);
  return known;
}

/**
 * Validates by a schema of ours, or by what a JSON pointer into it leads to. Such a schema is trusted, and tests hold that
 * it is well-formed: references and patterns are followed without bounds, formats are not read.
 */
export function validatorOf(root: object, pointer = ''): Validator {
  const resolve = (at: string): Schema => {
    const found = valueAt(root, at);
    if (found === undefined) throw new TypeError(`${JSON.stringify(at)} leads to nothing in the schema`);
    return found as Schema;
  };
  const options = {
    allErrors: true,
    resolve: (reference: string) => resolve(reference.slice(1)),
    isOfFormat: () => true,
    pattern,
  };
  return (value) => evaluate(resolve(pointer), value, options);
}
