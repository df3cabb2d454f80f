import type { Generators } from '../engine/organisation.js';
import { generate } from '../generate/generate.js';
import { createRandom } from '../generate/random.js';
import type { SchemaDocument } from '../generate/schema/document.js';
import type { SchemaProblem } from '../generate/schema/metaschema.js';
import { readSchema, validate } from '../generate/schema/read-schema.js';
import { generateOutput } from '../generate/text/property-texts.js';

type Trial = ReturnType<typeof generate>;

/**
 * A schema is usable only if a value can be found for it: one is generated, from a separate seed, when the
 * schema arrives. Stored per requested type: any value, or an object.
 */
const trials = { value: new WeakMap<SchemaDocument, Trial>(), object: new WeakMap<SchemaDocument, Trial>() };

function runTrial(document: SchemaDocument, schema: unknown, type?: 'object'): Trial {
  const ofType = trials[type ?? 'value'];
  const trial = ofType.get(document) ?? generate(schema, createRandom('trial'), type);
  ofType.set(document, trial);
  return trial;
}

/**
 * Generates values. Its libraries load more slowly than the rest of the mock: import this module when the
 * first request needs it.
 */
export const generators: Generators = {
  findProblem(schema, type) {
    const read = readSchema(schema);
    if ('problem' in read) return describe(read.problem);
    const trial = runTrial(read.document, schema, type);
    if ('value' in trial) return undefined;
    const what = type ?? 'value';
    return `no ${what} satisfies it: ${describe(trial.problem)}; loosen the keywords that rule ${what}s out`;
  },
  generateValue(schema, random, type) {
    const generated = generate(schema, random, type);
    if ('value' in generated) return generated.value;
    // No value was found with this seed: the value found when the schema arrived still satisfies it.
    const read = readSchema(schema);
    const trial = 'document' in read ? runTrial(read.document, schema, type) : read;
    return 'value' in trial ? structuredClone(trial.value) : undefined;
  },
  isValid(schema, value) {
    const read = readSchema(schema);
    if ('problem' in read || 'problem' in runTrial(read.document, schema)) return false;
    return validate(read.document, value) === undefined;
  },
  generateText: generateOutput,
};

function describe({ pointer, expected, got }: SchemaProblem): string {
  return `expected ${expected}${pointer === '' ? '' : ` at ${pointer}`}, got ${got}`;
}
