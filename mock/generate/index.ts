/**
 * Data from schemas: the one door of this folder. Loading it costs as much as starting the whole server, so it is
 * imported when the first schema comes: `const generators: Generators = await import('./generate/index.js')`.
 * Only `random.ts` is for everybody, at once.
 */
export { type GenerateOptions, generate } from './generate.js';
export { type SchemaProblem, UnusableSchema } from './schema.js';
export { checkSchema } from './schema-guard.js';
export { SCHEMA_LIMITS, type SchemaLimits } from './size.js';
export { plausibleOutput, sentence } from './text.js';
export { compileSchema, type Validate } from './validate.js';

import type { generate } from './generate.js';
import type { checkSchema } from './schema-guard.js';
import type { plausibleOutput, sentence } from './text.js';
import type { compileSchema } from './validate.js';

/** What the rest of the mock is handed once this folder is loaded. */
export type Generators = {
  checkSchema: typeof checkSchema;
  compileSchema: typeof compileSchema;
  generate: typeof generate;
  plausibleOutput: typeof plausibleOutput;
  sentence: typeof sentence;
};
