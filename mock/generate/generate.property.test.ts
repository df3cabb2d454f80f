import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countRuns } from '../../test/support/depth.js';
import { anySchema } from '../../test/support/generate/any-schema.js';
import { generate } from './generate.js';
import { createRandom } from './random.js';

test('for any schema: a value that an independent validator accepts, or a problem; the same for the same seed', () => {
  let values = 0;
  let problems = 0;
  fc.assert(
    fc.property(anySchema, fc.integer(), (generated, seed) => {
      const first = generate(generated, createRandom(seed));
      expect(generate(generated, createRandom(seed))).toEqual(first);
      if ('problem' in first) {
        problems++;
        expect(first.problem.got).not.toBe('');
        return;
      }
      values++;
      const ajv = new Ajv2020({ strict: false, logger: false, ownProperties: true });
      (addFormats as unknown as (ajv: Ajv2020) => void)(ajv);
      const check = ajv.compile(generated);
      if (!check(first.value))
        throw new Error(`${JSON.stringify(first.value)}: ${JSON.stringify(check.errors)}`);
    }),
    { numRuns: countRuns({ quick: 40, deep: 200 }), seed: 20_261_121 },
  );
  // If all schemas were refused, the property would hold without any check.
  expect(values).toBeGreaterThan(2 * problems);
});
