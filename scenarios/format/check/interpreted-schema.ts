import { valueAt } from '../../../spec/json-pointer.js';
import { interpret, type Schema, type WalkOptions } from '../../../spec/json-schema/interpret.js';
import type { SchemaCheck } from './compiled-schema.js';

/**
 * In place of compiled-schema.ts in bundles for browsers: a page's content security policy may forbid making functions
 * of text.
 */
export function checksOf(schema: object): (pointer: string) => SchemaCheck {
  const patterns = new Map<string, RegExp>();
  const options: WalkOptions = {
    all: true,
    resolve: (reference) => at(schema, reference.slice(1)),
    isOfFormat: () => true,
    pattern(source) {
      const known = patterns.get(source) ?? new RegExp(source, 'u');
      patterns.set(source, known);
      return known;
    },
  };
  return (pointer) => (value) => interpret(at(schema, pointer), value, options);
}

/** What a JSON pointer leads to. Throws where a schema of ours refers to nothing. */
function at(schema: object, pointer: string): Schema {
  const found = valueAt(schema, pointer);
  if (found === undefined) throw new TypeError(`${JSON.stringify(pointer)} leads to nothing in the schema`);
  return found as Schema;
}
