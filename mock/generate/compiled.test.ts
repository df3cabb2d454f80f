import { describe, expect, test } from 'vitest';
import { compileSchema } from './validate.js';

describe('schemas that cannot be compiled, or make code that does not run', () => {
  test('a schema that trips the validator itself is answered, not thrown', () => {
    const branch = { anyOf: [{ type: 'object', unevaluatedProperties: true }, true], not: true };
    expect(compileSchema({ if: true, else: branch })({})).toContain('cannot run');
  });

  test('references that nest deeper than the stack are refused', () => {
    const $defs: Record<string, unknown> = { d900: { type: 'string' } };
    for (let i = 0; i < 900; i++) $defs[`d${i}`] = { properties: { a: { $ref: `#/$defs/d${i + 1}` } } };
    expect(() => compileSchema({ $defs, $ref: '#/$defs/d0' })).toThrow('too often');
  });
});
