import { valueAt } from '../json-pointer.js';
import { evaluate } from './evaluate.js';
import type { Schema, SchemaError } from './schema.js';

/** Every error of a value; empty when it is valid. */
export type Validator = (value: unknown) => SchemaError[];

/**
 * Validates by schemas of ours: by what a JSON pointer into the schema leads to. These are trusted and tests hold that
 * they are well-formed: references and patterns are followed without bounds, formats are not read.
 */
export function validatorsOf(schema: object): (pointer: string) => Validator {
  const patterns = new Map<string, RegExp>();
  const resolve = (pointer: string): Schema => {
    const found = valueAt(schema, pointer);
    if (found === undefined) throw new TypeError(`${JSON.stringify(pointer)} leads to nothing in the schema`);
    return found as Schema;
  };
  const options = {
    allErrors: true,
    resolve: (reference: string) => resolve(reference.slice(1)),
    isOfFormat: () => true,
    pattern(source: string) {
      const pattern = patterns.get(source) ?? new RegExp(source, 'u');
      patterns.set(source, pattern);
      return pattern;
    },
  };
  return (pointer) => (value) => evaluate(resolve(pointer), value, options);
}
