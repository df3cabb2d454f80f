import { describe, expect, test } from 'vitest';
import { readSchema, validate } from './read-schema.js';

function createValidator(schema: unknown): (value: unknown) => string | undefined {
  const read = readSchema(schema);
  if ('problem' in read) throw new Error(read.problem.expected);
  return (value) => validate(read.document, value)?.message;
}

describe('validate', () => {
  test('names the place, the expected and the actual value', () => {
    const messageFor = createValidator({
      type: 'object',
      required: ['city'],
      properties: { city: { type: 'string', minLength: 2 } },
    });
    expect(messageFor({ city: 'Rome' })).toBeUndefined();
    expect(messageFor({ city: 'R' })).toBe('/city must NOT have fewer than 2 characters, got "R"');
    expect(messageFor({})).toBe("the value must have required property 'city', got {}");
    expect(createValidator({ enum: ['a', 'b'] })('c')).toBe(
      'the value must be equal to one of the allowed values (["a","b"]), got "c"',
    );
  });

  test('patterns that would backtrack for long are fast', () => {
    const text = `${'a'.repeat(5_000)}!`;
    expect(createValidator({ pattern: '^(a+)+$' })(text)).toContain('must match pattern');
    expect(createValidator({ pattern: '^(a|a)*$' })(text)).toContain('must match pattern');
    expect(createValidator({ patternProperties: { '^(a|aa)+$': false } })({ [text]: 1 })).toBeUndefined();
  });

  test.each([
    'email',
    'uri',
    'url',
    'uri-reference',
    'hostname',
    'duration',
    'ipv6',
    'json-pointer',
    'byte',
    'time',
  ])('format %s is checked quickly for long texts', (format) => {
    const messageFor = createValidator({ format });
    for (const unit of ['a', 'a-', 'a.', '/', 'a@', '1', '://', '%41', ':', 'P1', 'http://a', '{a}', '0:']) {
      const refused = messageFor(`${unit.repeat(20_000)} \n`) !== undefined;
      // A JSON pointer may contain any character.
      expect(refused || format === 'json-pointer').toBe(true);
    }
  });

  test('formats are checked, and unknown ones ignored, even those named like members of every object', () => {
    expect(createValidator({ format: 'date' })('2026-02-30')).toContain('format');
    expect(createValidator({ format: 'url' })('https://example.com/a')).toBeUndefined();
    expect(createValidator({ format: 'url' })('example.com')).toContain('format');
    for (const format of ['hasOwnProperty', 'toString', 'constructor', 'swift-code']) {
      expect(createValidator({ type: 'string', format })('x')).toBeUndefined();
    }
  });

  test('members of Object.prototype do not count as properties', () => {
    expect(createValidator({ required: ['toString'] })({})).toContain("required property 'toString'");
    expect(createValidator({ properties: { constructor: { type: 'string' } } })({})).toBeUndefined();
  });

  test('a recursive schema with a recursive value ends', () => {
    const twice = { properties: { a: { $ref: '#' } } };
    const messageFor = createValidator({ allOf: [twice, twice] });
    let value: unknown = 1;
    for (let i = 0; i < 100; i++) value = { a: value };
    expect(messageFor(value)).toContain('steps');
    expect(messageFor({ a: { a: 1 } })).toBeUndefined();
  });

  test('a value deeper than the stack is refused without a crash', () => {
    let value: unknown = 1;
    for (let i = 0; i < 90_000; i++) value = { a: value };
    expect(createValidator({ properties: { a: { $ref: '#' } } })(value)).toBeTypeOf('string');
  });

  test('each pattern of a schema is applied to its own texts', () => {
    const two = {
      properties: { a: { pattern: '^a$' }, b: { pattern: '^b$' } },
      patternProperties: { '^c': false },
    };
    const messageFor = createValidator(two);
    expect(messageFor({ a: 'a', b: 'b' })).toBeUndefined();
    expect(messageFor({ b: 'a' })).toContain('"^b$"');
    expect(messageFor({ c: 1 })).toContain('false');
  });

  test('19.99 is a multiple of 0.01', () => {
    expect(createValidator({ multipleOf: 0.01 })(19.99)).toBeUndefined();
    expect(createValidator({ multipleOf: 0.01 })(19.995)).toContain('multiple');
  });

  test('equal schemas are read once, until the cache is full', () => {
    const first = readSchema({ const: 'first' });
    expect(readSchema({ const: 'first' })).toBe(first);
    for (let i = 0; i < 500; i++) readSchema({ const: i });
    expect(readSchema({ const: 'first' })).not.toBe(first);
  });

  test('schemas with the same $id do not affect each other', () => {
    const $id = 'https://example.com/same';
    expect(createValidator({ $id, type: 'string' })(1)).toContain('string');
    expect(createValidator({ $id, type: 'integer' })(1)).toBeUndefined();
  });
});
