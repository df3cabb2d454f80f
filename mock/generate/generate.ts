import type { Schema, TypeName } from '../../spec/json-schema/schema.js';
import { generateValue } from './generate-value.js';
import { type Generation, NONE, RunAbandoned } from './generation.js';
import type { Random } from './random.js';
import type { SchemaProblem } from './schema/metaschema.js';
import { readSchema } from './schema/read-schema.js';
import { validate } from './schema/validate.js';

/** Most characters of the value's JSON text. */
const CHARACTERS = 64 * 1024;
/** Attempts at a value before the schema counts as unsatisfiable. */
const ATTEMPTS = 50;
/** Attempts without inner validation: for nearly every schema the first one succeeds. */
const QUICK_ATTEMPTS = 2;
/** Work of all attempts together: about half a second if every attempt fails. */
const WORK = 30_000;

/**
 * A value that satisfies a schema of draft 2020-12 and has the type `type`, if given; or the problem of the
 * schema. The value is validated before it is returned. The same schema and the same state of `random` give
 * the same value. Bounded in time and size for any schema.
 */
export function generate(
  schema: unknown,
  random: Random,
  type?: TypeName,
): { value: unknown } | { problem: SchemaProblem } {
  const read = readSchema(schema);
  if ('problem' in read) return read;
  const { document } = read;
  const schemas: Schema[] = [document.root, ...(type === undefined ? [] : [{ type }])];
  let work = WORK;
  let reason: string | undefined;
  let attempts = 0;
  for (; attempts < ATTEMPTS && work > 0; attempts++) {
    const isCareful = attempts >= QUICK_ATTEMPTS;
    const generation: Generation = { document, random, isCareful, work, written: 0 };
    let value: unknown = NONE;
    try {
      value = generateValue(schemas, '', 0, generation);
    } catch (error) {
      if (!(error instanceof RunAbandoned)) throw error;
      reason ??= error.message;
    }
    work = generation.work;
    if (value === NONE) continue;
    const size = JSON.stringify(value).length;
    const mismatch =
      size > CHARACTERS ? undefined : schemas.map((each) => validate(document, value, each)).find(Boolean);
    if (size <= CHARACTERS && mismatch === undefined) return { value };
    // Checking another value would take as long.
    if (mismatch?.keyword === 'steps') work = 0;
    reason = mismatch?.message ?? `values of ${size} characters (at most ${CHARACTERS})`;
  }
  const got = `no fitting value in ${attempts} attempts; the last failed on: ${reason ?? 'keywords that contradict each other'}`;
  return {
    problem: {
      pointer: '',
      expected: `a schema that a value${type === undefined ? '' : ` of type ${type}`} can be made for`,
      got,
    },
  };
}
