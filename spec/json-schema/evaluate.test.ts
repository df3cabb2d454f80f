import { describe, expect, it } from 'vitest';
import { evaluate } from './evaluate.js';
import type { Schema, SchemaError } from './schema.js';

function errors(schema: Schema, value: unknown, all = false): SchemaError[] {
  return evaluate(schema, value, {
    allErrors: all,
    resolve: (reference) => (reference === '#' ? schema : false),
    pattern: (source) => new RegExp(source, 'u'),
    isOfFormat: (text, format) => format !== 'even' || String(text).length % 2 === 0,
  });
}

const errorsOf = (schema: Schema, value: unknown, all = false) =>
  errors(schema, value, all).map(({ instancePath, message }) => `${instancePath} ${message}`);

/** Keyword by keyword: a schema, values that fit, values that do not. */
const CASES: [schema: Schema, fitting: unknown[], others: unknown[]][] = [
  [true, [1, null], []],
  [false, [], [1, null]],
  [{ type: 'integer' }, [1, 2.0], [1.5, '1', Number.NaN]],
  [{ type: ['object', 'null'] }, [{}, null], [[], 1]],
  [{ type: 'string', nullable: true }, ['', null], [1]],
  [{ const: { a: [1, { b: null }] } }, [{ a: [1, { b: null }] }], [{ a: [1, {}] }, { a: [1] }]],
  [{ enum: [1, 'a', [2]] }, [1, 'a', [2]], ['1', 2, []]],
  [{ minimum: 1, exclusiveMaximum: 3 }, [1, 2.9, 'a'], [0.9, 3]],
  [{ multipleOf: 0.01 }, [19.99, 0], [19.995]],
  [{ minLength: 2, maxLength: 3 }, ['ab', '😀😀😀', 1], ['😀', 'abcd']],
  [{ pattern: '^a+$' }, ['aa', 1], ['ab']],
  [{ format: 'even' }, ['ab', 12], ['abc']],
  [{ format: 'unheard of' }, ['ab'], []],
  [
    { minItems: 1, maxItems: 2, uniqueItems: true },
    [[1], [1, '1']],
    [[], [1, 2, 3], [1, 1], [{ a: 1 }, { a: 1 }]],
  ],
  [{ prefixItems: [{ type: 'string' }], items: { type: 'number' } }, [[], ['a', 1]], [[1], ['a', 'b']]],
  [{ contains: { const: 7 }, minContains: 2, maxContains: 3 }, [[7, 7, 1]], [[7], [7, 7, 7, 7]]],
  [{ required: ['a', 'toString'] }, [{ a: 1, toString: 2 }], [{ a: 1 }]],
  [{ minProperties: 1, maxProperties: 1 }, [{ a: 1 }], [{}, { a: 1, b: 2 }]],
  [
    {
      properties: { a: false },
      patternProperties: { '^x': { type: 'number' } },
      additionalProperties: false,
    },
    [{}, { x1: 1 }],
    [{ a: 1 }, { x1: '' }, { b: 1 }],
  ],
  [{ propertyNames: { maxLength: 1 } }, [{ a: 1 }], [{ ab: 1 }]],
  [{ dependentRequired: { a: ['b'] } }, [{ b: 1 }, { a: 1, b: 1 }], [{ a: 1 }]],
  [{ dependentSchemas: { a: { required: ['b'] } } }, [{}, { a: 1, b: 1 }], [{ a: 1 }]],
  [{ allOf: [{ required: ['a'] }, { required: ['b'] }] }, [{ a: 1, b: 1 }], [{ a: 1 }]],
  [{ anyOf: [{ type: 'string' }, { minimum: 3 }] }, ['a', 3], [2]],
  [{ oneOf: [{ type: 'integer' }, { minimum: 3 }] }, [1, 3.5, 'a'], [2.5, 3]],
  [{ not: { type: 'string' } }, [1], ['a']],
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  [{ if: { type: 'string' }, then: { minLength: 1 }, else: { const: 1 } }, ['a', 1], ['', 2]],
  [{ properties: { a: { $ref: '#' } }, additionalProperties: false }, [{ a: { a: {} } }], [{ a: { b: 1 } }]],
];

describe('interpret', () => {
  it.each(CASES)('%j', (schema, fitting, others) => {
    for (const value of fitting) expect(errorsOf(schema, value), JSON.stringify(value)).toEqual([]);
    for (const value of others) expect(errorsOf(schema, value), JSON.stringify(value)).not.toEqual([]);
  });

  it('reports the first error, or all of them, and where', () => {
    const schema: Schema = {
      required: ['b'],
      properties: { a: { items: { type: 'string' } }, 'c/d': { minimum: 1 } },
    };
    const value = { a: [1, 'x', 2], 'c/d': 0 };
    expect(errorsOf(schema, value)).toEqual([" must have required property 'b'"]);
    expect(errorsOf(schema, value, true)).toEqual([
      " must have required property 'b'",
      '/a/0 must be string',
      '/a/2 must be string',
      '/c~1d must be >= 1',
    ]);
  });

  it('drops the errors of schemas that were only tried', () => {
    const schema: Schema = {
      anyOf: [{ type: 'string' }, true],
      not: { type: 'string' },
      contains: true,
      maxItems: 1,
    };
    expect(errorsOf(schema, [1, 2], true)).toEqual([' must NOT have more than 1 items']);
  });
});
