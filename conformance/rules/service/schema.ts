import { readSchema } from '../../../mock/generate/schema/read-schema.js';
import { validate } from '../../../mock/generate/schema/validate.js';

/** These prove nothing: formats are a matter of taste, and after so many steps the check was abandoned. */
const NO_PROOF = ['format', 'steps'];

/**
 * What is wrong with a value by a schema; undefined when it fits, and `unknown` when that cannot be decided: the schema may
 * be no draft 2020-12, too large or made to hang its reader. Never throws.
 */
export function misfit(schema: unknown, value: unknown): string | 'unknown' | undefined {
  const read = readSchema(schema);
  if ('problem' in read) return 'unknown';
  const mismatch = validate(read.document, value);
  return mismatch && NO_PROOF.includes(mismatch.keyword) ? 'unknown' : mismatch?.message;
}
