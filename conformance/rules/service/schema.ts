import { compileSchema, type Validate } from '../../../mock/generate/validate.js';

/** Why a value does not fit is no news where the validator itself gave up, or where a format is a matter of taste. */
const NO_PROOF = /must match format|cannot be held against the schema|combines its keywords/;

/**
 * What is wrong with a value by a schema; undefined when it fits, and `unknown` when that cannot be told: the schema may
 * be no draft 2020-12, too large or made to hang its reader. Never throws.
 */
export function misfit(schema: unknown, value: unknown): string | 'unknown' | undefined {
  let validate: Validate;
  try {
    validate = compileSchema(schema);
  } catch {
    return 'unknown';
  }
  const message = validate(value);
  return message !== undefined && NO_PROOF.test(message) ? 'unknown' : message;
}
