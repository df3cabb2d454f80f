import type { Format } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anySchema } from '../../../test/support/generate/any-schema.js';
import { generate } from '../generate.js';
import { createRandom } from '../random.js';
import { readSchema, validate } from './read-schema.js';

const scalars = fc.constantFrom('', 'a', 'Rome', 'abab', 'a@b.co', -3, 0, 0.1, 4, 7.5, null, true);
const names = fc.constantFrom('a', 'b', 'city', 'x-1', 'constructor', 'other');
const { value: values } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    scalars,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(names, tie('value'), { maxKeys: 4 }),
  ),
}));

/** ajv 8.20 does not evaluate the other keywords of an array that is shorter than its `prefixItems`. */
const isMisjudged = (schema: unknown) => JSON.stringify(schema).includes('"prefixItems"');

/**
 * The keyword by which ajv refuses a value; undefined for a valid one, `unable` if its generated code throws.
 */
function validateWithAjv(schema: object | boolean, value: unknown): string | undefined {
  const formats = fullFormats as Record<string, Format>;
  const ajv = new Ajv2020({
    strict: false,
    logger: false,
    ownProperties: true,
    multipleOfPrecision: 9,
    formats,
  });
  try {
    const check = ajv.compile(schema);
    return check(value) ? undefined : check.errors![0]!.keyword;
  } catch {
    return 'unable';
  }
}

describe('validation by the interpreter', () => {
  it('agrees with ajv for any schema and value', () => {
    const met = { valid: 0, invalid: 0 };
    fc.assert(
      fc.property(anySchema, values, fc.integer(), (schema, other, seed) => {
        const read = readSchema(schema);
        if ('problem' in read || isMisjudged(schema)) return;
        const generated = generate(schema, createRandom(seed));
        for (const value of 'value' in generated ? [generated.value, other] : [other]) {
          const expected = validateWithAjv(schema as object, value);
          if (expected === 'unable') continue;
          const found = validate(read.document, value)?.keyword;
          // A schema that refers to itself for the same value: validation is abandoned without a result.
          if (found === 'steps' && JSON.stringify(schema).includes('"$ref"')) continue;
          expect(found).toBe(expected);
          met[expected === undefined ? 'valid' : 'invalid']++;
        }
      }),
      { numRuns: 300, seed: 20_261_122 },
    );
    expect(Math.min(met.valid, met.invalid)).toBeGreaterThan(100);
  });
});
