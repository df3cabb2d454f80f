import { interpret } from '../../spec/json-schema/interpret.js';
import { type Checker, type Complaint, MOST_FOLLOWED, TooManySteps } from './checker.js';
import type { SchemaDocument } from './document.js';
import { isOfFormat } from './formats.js';
import { METASCHEMA } from './metaschema.js';
import { linearPattern } from './patterns.js';
import type { Schema } from './schema.js';

/**
 * In place of compiled.ts in bundles for browsers: makes no functions of text, which a content security policy may
 * forbid, and is far smaller. Both say the same of every value.
 */

const NEVER = { test: () => false };

function patternOf(source: string): { test(text: string): boolean } {
  const pattern = linearPattern(source);
  return typeof pattern === 'string' ? NEVER : pattern;
}

/** A checker for a document. Throws for what the compiling one refuses too. */
export function checkerOf(document: SchemaDocument): Checker {
  for (const schema of document.pointers.keys())
    if (schema.enum?.length === 0) throw new Error('enum must have non-empty array');
  let steps = 0;
  const resolve = (reference: string) => {
    if (++steps > MOST_FOLLOWED) throw new TooManySteps();
    return document.resolve(reference);
  };
  const options = { resolve, pattern: patternOf, isOfFormat, all: false };
  return (schema, value) => {
    if (schema !== document.root && (typeof schema === 'boolean' || !document.pointers.has(schema)))
      return undefined;
    steps = 0;
    return interpret(schema, value, options)[0];
  };
}

/** What keeps a schema from being one of draft 2020-12, by its metaschema. */
export function malformed(schema: Schema): Complaint | undefined {
  const options = { resolve: () => METASCHEMA, pattern: patternOf, isOfFormat: () => true, all: false };
  const plain = typeof schema === 'boolean' ? schema : { ...schema, $schema: undefined };
  return interpret(METASCHEMA, plain, options)[0];
}
