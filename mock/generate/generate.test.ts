import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { FORMATS, SATISFIABLE, UNSATISFIABLE } from '../../test/support/generate/schemas.js';
import { generate } from './generate.js';
import { createRandom } from './random.js';

/** A second validator, independent of the product: with its own expressions for patterns and formats. */
function compileReference(schema: unknown): (value: unknown) => string | undefined {
  const ajv = new Ajv2020({ strict: false, logger: false });
  (addFormats as unknown as (ajv: Ajv2020) => void)(ajv);
  const plain = typeof schema === 'object' ? { ...schema, $schema: undefined } : schema;
  const check = ajv.compile(JSON.parse(JSON.stringify(plain).replace('"id":"x",', '')) as object);
  return (value) => (check(value) ? undefined : JSON.stringify([value, check.errors]));
}

function value(schema: unknown, seed: string | number): unknown {
  const generated = generate(schema, createRandom(seed));
  expect(generated).not.toHaveProperty('problem');
  return (generated as { value: unknown }).value;
}

describe('a valid value', () => {
  test.each(Object.entries(SATISFIABLE))('%s', (_, schema) => {
    // The second validator looks up formats in a plain object, so it accidentally has this one.
    const check = JSON.stringify(schema).includes('"constructor"')
      ? () => undefined
      : compileReference(schema);
    for (let seed = 0; seed < 20; seed++) expect(check(value(schema, seed))).toBeUndefined();
  });

  test.each(FORMATS)('format %s', (format) => {
    const check = compileReference({ type: 'string', format });
    for (let seed = 0; seed < 20; seed++)
      expect(check(value({ type: 'string', format }, seed))).toBeUndefined();
  });

  test('formats with lengths', () => {
    for (const schema of [
      { type: 'string', format: 'email', minLength: 60 },
      { type: 'string', format: 'email', maxLength: 8 },
      { type: 'string', format: 'uri', minLength: 300 },
      { type: 'string', format: 'hostname', minLength: 70 },
    ]) {
      expect(compileReference(schema)(value(schema, 1))).toBeUndefined();
    }
  });

  test('members of Object.prototype are generated only when required', () => {
    const generated = value(SATISFIABLE['const named like a prototype member'], 1) as object;
    expect(Object.keys(generated).sort()).toEqual(['constructor', 'toString']);
    expect(Object.getPrototypeOf(generated)).toBe(Object.prototype);
  });
});

describe('no value', () => {
  test.each(Object.entries(UNSATISFIABLE))('%s', (_, schema) => {
    const generated = generate(schema, createRandom(1));
    expect(generated).toHaveProperty('problem');
    const { problem } = generated as { problem: { expected: string; got: string } };
    expect(problem.expected).not.toBe('');
    expect(problem.got).not.toBe('');
  });

  test('reports why the last attempt failed', () => {
    const generated = generate({ type: 'string', pattern: '^a$', minLength: 2 }, createRandom(1));
    expect(generated).toMatchObject({
      problem: { got: expect.stringMatching(/^no fitting value in \d+ attempts; /) },
    });
  });
});

describe('the choice of a value', () => {
  test('the same seed gives the same value, another seed another', () => {
    const schema = SATISFIABLE['nested objects'];
    expect(value(schema, 'a')).toEqual(value(schema, 'a'));
    expect(value(schema, 'a')).not.toEqual(value(schema, 'b'));
  });

  test('a restored stream gives the same value again', () => {
    const random = createRandom(3);
    const state = random.saveState();
    const schema = { type: 'object', properties: { email: { type: 'string' }, city: { type: 'string' } } };
    const first = generate(schema, random);
    random.restore(state);
    expect(generate(schema, random)).toEqual(first);
  });

  test('examples are preferred, then a non-empty default', () => {
    expect(value({ type: 'string', examples: ['x'], default: 'y' }, 1)).toBe('x');
    expect(value({ type: 'string', default: 'y' }, 1)).toBe('y');
    expect(value({ type: 'string', default: '' }, 1)).not.toBe('');
    expect(value({ type: 'integer', default: 'three', minimum: 2 }, 1)).toBeGreaterThanOrEqual(2);
  });

  test('a whole number of a small range is not always its minimum', () => {
    const generated = Array.from({ length: 30 }, (_, seed) =>
      value({ type: 'integer', minimum: 1, maximum: 6 }, seed),
    );
    expect(new Set(generated).size).toBeGreaterThan(3);
  });

  test('the open end of a pattern is filled with realistic text', () => {
    expect(value(SATISFIABLE['a pattern that ends an address'], 1)).toMatch(/^[a-z]+@acme\.com$/);
    const names = Object.keys(value(SATISFIABLE['several names of one pattern'], 1) as object);
    for (const name of names) expect(name).toMatch(/^x_[a-z]+$/);
  });

  test('texts and numbers suit the names of their properties', () => {
    const schema = {
      type: 'object',
      required: ['email', 'url', 'price', 'rating', 'latitude', 'items'],
      properties: {
        email: { type: 'string' },
        url: { type: 'string' },
        price: { type: 'number' },
        rating: { type: 'number' },
        latitude: { type: 'number' },
        items: { type: 'array', items: { type: 'string' } },
      },
    };
    for (let seed = 0; seed < 30; seed++) {
      const generated = value(schema, seed) as Record<string, number> & {
        email: string;
        url: string;
        items: string[];
      };
      expect(generated.email).toMatch(/@example\.(com|net|org)$/);
      expect(generated.url).toMatch(/^https:\/\/www\.example\.com\//);
      expect(generated['price']).toBeGreaterThan(0);
      expect(generated['rating']! >= 1 && generated['rating']! <= 5).toBe(true);
      expect(Math.abs(generated['latitude']!)).toBeLessThanOrEqual(90);
      expect(generated.items.length >= 1 && generated.items.length <= 5).toBe(true);
    }
  });

  test('a schema that branches without bound gives a small value', () => {
    const schema = {
      type: 'object',
      properties: Object.fromEntries(
        ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => [
          name,
          { type: 'array', items: { $ref: '#' }, maxItems: 9 },
        ]),
      ),
      required: ['a', 'b', 'c', 'd', 'e', 'f'],
    };
    for (let seed = 0; seed < 5; seed++)
      expect(JSON.stringify(value(schema, seed)).length).toBeLessThan(65_536);
  });

  test('a value larger than allowed is refused', () => {
    const schema = { type: 'array', minItems: 900, items: { type: 'string', minLength: 100 } };
    expect(generate(schema, createRandom(1))).toHaveProperty(
      'problem.got',
      expect.stringContaining('characters'),
    );
  });
});
