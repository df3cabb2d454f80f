import { describe, expect, test } from 'vitest';
import { UnusableSchema } from './schema.js';
import { compileSchema } from './validate.js';

describe('compileSchema', () => {
  test('says where a value does not fit, what was expected and what is there', () => {
    const validate = compileSchema({
      type: 'object',
      required: ['city'],
      properties: { city: { type: 'string', minLength: 2 } },
    });
    expect(validate({ city: 'Rome' })).toBeUndefined();
    expect(validate({ city: 'R' })).toBe('/city must NOT have fewer than 2 characters, got "R"');
    expect(validate({})).toBe("the value must have required property 'city', got {}");
    expect(compileSchema({ enum: ['a', 'b'] })('c')).toBe(
      'the value must be equal to one of the allowed values (["a","b"]), got "c"',
    );
  });

  test('throws what the guard found', () => {
    expect(() => compileSchema({ type: 'text' })).toThrow(UnusableSchema);
    expect(() => compileSchema({ properties: { a: { pattern: '(?=a)' } } })).toThrow(
      /^schema at \/properties\/a\/pattern: expected /,
    );
  });

  test('patterns that would backtrack for ages answer at once', () => {
    const text = `${'a'.repeat(5_000)}!`;
    expect(compileSchema({ pattern: '^(a+)+$' })(text)).toContain('must match pattern');
    expect(compileSchema({ pattern: '^(a|a)*$' })(text)).toContain('must match pattern');
    expect(compileSchema({ patternProperties: { '^(a|aa)+$': false } })({ [text]: 1 })).toBeUndefined();
  });

  test.each([
    'email',
    'uri',
    'url',
    'uri-reference',
    'uri-template',
    'hostname',
    'duration',
    'ipv6',
    'json-pointer',
    'byte',
    'time',
  ])('format %s answers at once for long texts', (format) => {
    const validate = compileSchema({ format });
    for (const unit of ['a', 'a-', 'a.', '/', 'a@', '1', '://', '%41', ':', 'P1', 'http://a', '{a}', '0:']) {
      const refused = validate(`${unit.repeat(20_000)} \n`) !== undefined;
      // These two are lenient: a pointer may hold anything, and of base64 one line is enough.
      expect(refused || format === 'json-pointer' || format === 'byte').toBe(true);
    }
  });

  test('formats are checked, and unknown ones ignored, even those named like members of every object', () => {
    expect(compileSchema({ format: 'date' })('2026-02-30')).toContain('format');
    expect(compileSchema({ format: 'url' })('https://example.com/a')).toBeUndefined();
    expect(compileSchema({ format: 'url' })('example.com')).toContain('format');
    for (const format of ['hasOwnProperty', 'toString', 'constructor', 'swift-code']) {
      expect(compileSchema({ type: 'string', format })('x')).toBeUndefined();
    }
  });

  test('members of every object are not taken for properties', () => {
    expect(compileSchema({ required: ['toString'] })({})).toContain("required property 'toString'");
    expect(compileSchema({ properties: { constructor: { type: 'string' } } })({})).toBeUndefined();
  });

  test('what is recursive on both sides ends', () => {
    const twice = { properties: { a: { $ref: '#' } } };
    const validate = compileSchema({ allOf: [twice, twice] });
    let value: unknown = 1;
    for (let i = 0; i < 100; i++) value = { a: value };
    expect(validate(value)).toContain('steps');
    expect(validate({ a: { a: 1 } })).toBeUndefined();
  });

  test('a value that is deeper than the stack is refused, not a crash', () => {
    let value: unknown = 1;
    for (let i = 0; i < 90_000; i++) value = { a: value };
    expect(compileSchema({ properties: { a: { $ref: '#' } } })(value)).toBeTypeOf('string');
  });

  test('each pattern of a schema is held against its own texts', () => {
    const two = {
      properties: { a: { pattern: '^a$' }, b: { pattern: '^b$' } },
      patternProperties: { '^c': false },
    };
    const validate = compileSchema(two);
    expect(validate({ a: 'a', b: 'b' })).toBeUndefined();
    expect(validate({ b: 'a' })).toContain('"^b$"');
    expect(validate({ c: 1 })).toContain('false');
  });

  test('19.99 is a multiple of 0.01', () => {
    expect(compileSchema({ multipleOf: 0.01 })(19.99)).toBeUndefined();
    expect(compileSchema({ multipleOf: 0.01 })(19.995)).toContain('multiple');
  });

  test('equal schemas share one validator, and the oldest is dropped', () => {
    const first = compileSchema({ const: 'first' });
    expect(compileSchema({ const: 'first' })).toBe(first);
    for (let i = 0; i < 199; i++) compileSchema({ const: i });
    expect(compileSchema({ const: 'first' })).toBe(first);
    for (let i = 1_000; i < 1_200; i++) compileSchema({ const: i });
    expect(compileSchema({ const: 'first' })).not.toBe(first);
  });

  test('schemas with the same $id do not meet', () => {
    const $id = 'https://example.com/same';
    expect(compileSchema({ $id, type: 'string' })(1)).toContain('string');
    expect(compileSchema({ $id, type: 'integer' })(1)).toBeUndefined();
  });
});
