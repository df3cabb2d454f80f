import type { Generators } from '../engine/organisation.js';
import { generate } from './generate.js';
import { createRandom } from './random.js';
import type { SchemaDocument } from './schema/document.js';
import type { SchemaProblem } from './schema/metaschema.js';
import { readSchema } from './schema/read-schema.js';
import { validate } from './schema/validate.js';
import { plausibleOutput } from './text/sentences.js';

type Trial = ReturnType<typeof generate>;

/** A schema is of use only if a value can be found for it: one is made when it comes, from a seed of its own. */
const trials = new WeakMap<SchemaDocument, Trial>();

function trialOf(document: SchemaDocument, schema: unknown): Trial {
  const trial = trials.get(document) ?? generate(schema, createRandom('trial'));
  trials.set(document, trial);
  return trial;
}

/**
 * What generates values. Its libraries take longer to load than the rest of the mock to start: import this module once
 * the first request needs it.
 */
export const generators: Generators = {
  problem(schema) {
    const read = readSchema(schema);
    if ('problem' in read) return describe(read.problem);
    const trial = trialOf(read.document, schema);
    if ('value' in trial) return undefined;
    return `no value satisfies it: ${describe(trial.problem)}; loosen the keywords that rule values out`;
  },
  value(schema, random) {
    const generated = generate(schema, random);
    if ('value' in generated) return generated.value;
    // Not for this seed: the value that was found when the schema came still satisfies it.
    const read = readSchema(schema);
    const trial = 'document' in read ? trialOf(read.document, schema) : read;
    return 'value' in trial ? structuredClone(trial.value) : undefined;
  },
  fits(schema, value) {
    const read = readSchema(schema);
    if ('problem' in read || 'problem' in trialOf(read.document, schema)) return false;
    return validate(read.document, value) === undefined;
  },
  text: plausibleOutput,
};

function describe({ pointer, expected, got }: SchemaProblem): string {
  return `expected ${expected}${pointer === '' ? '' : ` at ${pointer}`}, got ${got}`;
}
