import type { Schema, TypeName } from '../../spec/json-schema/schema.js';
import { generateValue } from './generate-value.js';
import { type Generation, NONE, RunAbandoned } from './generation.js';
import type { Random } from './random.js';
import type { SchemaProblem } from './schema/metaschema.js';
import { readSchema } from './schema/read-schema.js';

/** Most characters of the value's JSON text. */
const CHARACTERS = 64 * 1024;
/** Attempts at a value before the schema counts as unsatisfiable. */
const ATTEMPTS = 50;
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
  const generation: Generation = { document, random, work: WORK, written: 0, failure: undefined };
  let attempts = 0;
  for (; attempts < ATTEMPTS && generation.work > 0; attempts++) {
    generation.written = 0;
    try {
      const value = generateValue(schemas, '', 0, generation);
      if (value === NONE) continue;
      const size = JSON.stringify(value).length;
      if (size <= CHARACTERS) return { value };
      generation.failure = `values of ${size} characters (at most ${CHARACTERS})`;
    } catch (error) {
      if (!(error instanceof RunAbandoned)) throw error;
      generation.failure ??= error.message;
    }
  }
  const got = `no fitting value in ${attempts} attempts; the last failed on: ${generation.failure ?? 'keywords that contradict each other'}`;
  return {
    problem: {
      pointer: '',
      expected: `a schema that a value${type === undefined ? '' : ` of type ${type}`} can be made for`,
      got,
    },
  };
}
