import { describe, expect, test } from 'vitest';
import { SATISFIABLE } from '../../../test/support/generate/schemas.js';
import { generate } from '../generate.js';
import { createRandom } from '../random.js';
import type { SchemaProblem } from './metaschema.js';
import { readSchema } from './read-schema.js';

function checkSchema(...args: Parameters<typeof readSchema>): SchemaProblem | undefined {
  const read = readSchema(...args);
  return 'problem' in read ? read.problem : undefined;
}

function nested(depth: number): unknown {
  let schema: unknown = { type: 'string' };
  for (let i = 0; i < depth; i++) schema = { properties: { a: schema } };
  return schema;
}

function doubling(levels: number): object {
  const $defs: Record<string, unknown> = { d0: { type: 'string' } };
  for (let i = 1; i <= levels; i++)
    $defs[`d${i}`] = { allOf: [{ $ref: `#/$defs/d${i - 1}` }, { $ref: `#/$defs/d${i - 1}` }] };
  return { $defs, $ref: `#/$defs/d${levels}` };
}

function chain(length: number): unknown {
  const schemas: Record<string, unknown> = { [`d${length}`]: { type: 'string' } };
  for (let i = 0; i < length; i++) schemas[`d${i}`] = { $ref: `#/$defs/d${i + 1}` };
  return schemas;
}

const cyclic: Record<string, unknown> = { type: 'object' };
cyclic['properties'] = { self: cyclic };
const parsed = (text: string) => JSON.parse(text) as unknown;

/** An invalid schema, the pointer to the problem, and a part of the message. */
const REFUSED: [name: string, schema: unknown, pointer: string, got: string][] = [
  ['no schema', 'string', '', '"string"'],
  ['null', null, '', 'null'],
  ['a list', [], '', '[]'],
  ['a function', { default: () => 1 }, '/default', 'function'],
  ['not a number', { default: Number.NaN }, '/default', 'NaN'],
  ['a schema inside itself', cyclic, '/properties/self'.repeat(16), 'more'],
  ['2 MB', { description: 'x'.repeat(2 * 1024 * 1024) }, '/description', 'more'],
  ['256 KiB in characters of three bytes', { description: '\u20ac'.repeat(100_000) }, '', '3000'],
  ['depth of 10,000', nested(10_000), '/properties/a'.repeat(16), 'more'],
  ['enum of 100,000', { enum: Array.from({ length: 100_000 }, (_, i) => i) }, '/enum', '100000'],
  ['a type that does not exist', { properties: { a: { type: 'text' } } }, '/properties/a/type', '"text"'],
  ['a length that is no number', { minLength: '3' }, '/minLength', '"3"'],
  ['$data', { minimum: { $data: '1/a' } }, '/minimum', '$data'],
  [
    'look-ahead',
    { properties: { a: { pattern: '^(?=.*[A-Z]).+$' } } },
    '/properties/a/pattern',
    'look-around',
  ],
  ['look-behind', { pattern: '(?<=a)b' }, '/pattern', 'look-around'],
  ['back-reference', { pattern: '(a)\\1' }, '/pattern', '\\\\1'],
  ['broken pattern', { pattern: '(' }, '/pattern', 'missing'],
  [
    'look-ahead in a name',
    { patternProperties: { '^(?!x)': {} } },
    '/patternProperties/^(?!x)',
    'look-around',
  ],
  ['a pattern that unfolds', { pattern: '(?:(?:a{31}){31}b){1}'.repeat(40) }, '/pattern', 'steps'],
  [
    'many long patterns',
    { allOf: Array.from({ length: 30 }, (_, i) => ({ pattern: `a{999}${i}` })) },
    '/allOf/',
    'more',
  ],
  ['reference to outside', { $ref: 'https://example.com/a.json' }, '/$ref', 'nothing outside'],
  ['reference to a file', { $ref: 'other.json#/a' }, '/$ref', 'nothing outside'],
  ['reference to nothing', { $ref: '#/$defs/none' }, '/$ref', '#/$defs/none'],
  ['reference to a prototype member', { $ref: '#/constructor' }, '/$ref', '#/constructor'],
  ['reference with a broken escape', { $ref: '#/%E0%A4%A' }, '/$ref', '%E0'],
  ['a dynamic reference', { not: { $dynamicRef: '#a' }, $dynamicAnchor: 'a' }, '/$dynamicAnchor', '"a"'],
  [
    'unevaluatedProperties',
    { items: { unevaluatedProperties: false } },
    '/items/unevaluatedProperties',
    'false',
  ],
  ['dependencies of older drafts', { dependencies: { a: ['b'] } }, '/dependencies', '["b"]'],
  ['remote dialect', { $schema: 'https://evil.example.com/schema' }, '/$schema', 'evil'],
  [
    'an id below the root',
    { properties: { a: { $id: 'https://example.com/b' } } },
    '/properties/a/$id',
    'example.com/b',
  ],
  ['an anchor used twice', { $defs: { a: { $anchor: 'x' }, b: { $anchor: 'x' } } }, '/$defs/', '"x"'],
  [
    'a malformed schema reached by reference',
    { $ref: '#/x', x: { type: 'nothing' } },
    '/x/type',
    '"nothing"',
  ],
  [
    '__proto__ as a property',
    parsed('{"properties":{"__proto__":{"type":"string"}}}'),
    '/properties',
    '__proto__',
  ],
  ['__proto__ in a constant', parsed('{"const":{"a":{"__proto__":1}}}'), '/const/a', '__proto__'],
];

describe('checkSchema refuses', () => {
  test.each(REFUSED)('%s', (_, schema, pointer, got) => {
    const problem = checkSchema(schema);
    expect(problem).toBeDefined();
    expect(problem!.pointer.startsWith(pointer)).toBe(true);
    if (pointer === '') expect(problem!.pointer).toBe('');
    expect(problem!.got).toContain(got);
    expect(problem!.expected).not.toBe('');
    expect(generate(schema, createRandom(1))).toEqual({ problem });
  });

  test('the prototype of objects does not change', () => {
    generate(
      parsed('{"type":"object","required":["__proto__"],"const":{"constructor":{"prototype":{"x":1}}}}'),
      createRandom(1),
    );
    generate(parsed('{"type":"object","required":["__proto__"]}'), createRandom(1));
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  });
});

describe('no value is found, within bounds, for', () => {
  const mutual = { a: { $ref: '#/$defs/b' }, b: { anyOf: [{ type: 'null' }, { $ref: '#/$defs/a' }] } };
  test.each<[name: string, schema: object]>([
    ['a reference to itself', { $ref: '#' }],
    ['all of itself', { allOf: [{ $ref: '#' }] }],
    ['one of two that name each other', { $defs: mutual, $ref: '#/$defs/b' }],
    ['what is not itself', { $anchor: 'a', not: { $ref: '#a' } }],
    ['references that double', doubling(40)],
    ['what is not what doubles', { ...doubling(40), $ref: undefined, not: { $ref: '#/$defs/d40' } }],
  ])('%s', (_, schema) => {
    expect(generate(JSON.parse(JSON.stringify(schema)), createRandom(1))).toHaveProperty('problem');
  });

  test('but a value is found for chained references', () => {
    const generated = generate({ $ref: '#/$defs/d0', $defs: chain(1_000) }, createRandom(1));
    expect(generated).toHaveProperty('value', expect.any(String));
  });
});

describe('checkSchema accepts', () => {
  test.each(Object.entries(SATISFIABLE))('%s', (_, schema) => {
    expect(checkSchema(schema)).toBeUndefined();
  });

  test('an object with data that looks like references', () => {
    expect(
      checkSchema({ const: { $ref: 'https://example.com' }, enum: [{ pattern: '(' }], default: { $id: 1 } }),
    ).toBeUndefined();
    expect(
      checkSchema({ properties: { $ref: { type: 'string' }, pattern: { type: 'string' } } }),
    ).toBeUndefined();
  });

  test('a chain of references', () => {
    const $defs: Record<string, unknown> = { d0: { type: 'string' } };
    for (let i = 1; i < 100; i++) $defs[`d${i}`] = { $ref: `#/$defs/d${i - 1}` };
    expect(checkSchema({ $defs, $ref: '#/$defs/d99' })).toBeUndefined();
  });
});
