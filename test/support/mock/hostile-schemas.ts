/** Hostile JSON Schemas. Each is valid JSON, so that it reaches the code that uses it. Functions, because some are large. */
export const HOSTILE_SCHEMAS: Readonly<Record<string, () => Record<string, unknown>>> = {
  'exponential pattern': () => ({ type: 'string', pattern: '^(a+)+$', minLength: 40 }),
  'exponential pattern that cannot match': () => ({ type: 'string', pattern: '^((a|a)*)*b$', maxLength: 30 }),
  'patterns upon patterns': () => ({
    allOf: Array.from({ length: 30 }, (_, i) => ({ type: 'string', pattern: `(x+x+)+y${i}` })),
  }),
  'back-reference': () => ({ type: 'string', pattern: '^(a+)\\1+$' }),
  'look-ahead': () => ({ type: 'string', pattern: '^(?=(a+)+$).*$' }),
  'repeated repeats': () => ({ type: 'string', pattern: '^((a{1,999}){1,999}){1,999}$' }),
  'a pattern of many alternatives': () => ({
    pattern: `^(${Array.from({ length: 5000 }, (_, i) => `a${i}`).join('|')})+$`,
  }),
  'an unreadable pattern': () => ({ type: 'string', pattern: '([' }),
  'exponential names': () => ({
    type: 'object',
    minProperties: 20,
    patternProperties: { '^(a+)+$': {} },
    additionalProperties: false,
  }),
  'names that cannot be': () => ({ type: 'object', minProperties: 3, propertyNames: { pattern: '^$' } }),
  'a reference to itself': () => ({ $ref: '#' }),
  'references in a circle': () => ({
    $ref: '#/$defs/a',
    $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/c' }, c: { $ref: '#/$defs/a' } },
  }),
  'a required self': () => ({ type: 'object', required: ['me'], properties: { me: { $ref: '#' } } }),
  'a long chain of references': () => ({
    $ref: '#/$defs/d0',
    $defs: Object.fromEntries(
      Array.from({ length: 2000 }, (_, i) => [`d${i}`, i < 1999 ? { $ref: `#/$defs/d${i + 1}` } : {}]),
    ),
  }),
  'references that double': () => ({
    $ref: '#/$defs/d0',
    $defs: Object.fromEntries(
      Array.from({ length: 40 }, (_, i) => {
        const next = { $ref: `#/$defs/d${i + 1}` };
        const both = { type: 'object', required: ['l', 'r'], properties: { l: next, r: next } };
        return [`d${i}`, i < 39 ? both : { type: 'integer' }];
      }),
    ),
  }),
  'conjunctions that double': () => ({
    $ref: '#/$defs/d0',
    $defs: Object.fromEntries(
      Array.from({ length: 40 }, (_, i) => {
        const next = { $ref: `#/$defs/d${i + 1}` };
        return [`d${i}`, i < 39 ? { allOf: [next, next] } : { type: 'integer' }];
      }),
    ),
  }),
  'a reference to nothing': () => ({ $ref: '#/$defs/missing' }),
  'a reference to another machine': () => ({ $ref: 'http://127.0.0.1:9/schema.json' }),
  'a dynamic reference': () => ({ $dynamicRef: '#x', $dynamicAnchor: 'x', minProperties: 1 }),
  'a reference to a prototype': () => ({ $ref: '#/constructor/prototype' }),
  'a big enum': () => ({ enum: Array.from({ length: 100_000 }, (_, i) => `value ${i}`) }),
  'an empty enum': () => ({ enum: [] }),
  'a megabyte of words': () => ({ type: 'string', description: 'words '.repeat(180_000) }),
  'many properties': () => ({
    type: 'object',
    properties: Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`p${i}`, { type: 'string' }])),
  }),
  'many alternatives': () => ({
    oneOf: Array.from({ length: 400 }, (_, i) => ({ type: 'integer', minimum: i })),
  }),
  'alternatives of alternatives': () => {
    let schema: Record<string, unknown> = { type: 'integer' };
    for (let i = 0; i < 6; i++)
      schema = { anyOf: [schema, { not: schema }], allOf: [{ not: { not: schema } }] };
    return schema;
  },
  'deep nesting': () => {
    let schema: Record<string, unknown> = {};
    for (let i = 0; i < 28; i++) schema = { items: schema, minItems: 1, type: 'array' };
    return schema;
  },
  'wide and deep': () => {
    let schema: Record<string, unknown> = { type: 'integer' };
    for (let i = 0; i < 12; i++) schema = { type: 'array', minItems: 12, items: schema };
    return schema;
  },
  'too many items': () => ({ type: 'array', minItems: 1e9 }),
  'unique items of few values': () => ({
    type: 'array',
    minItems: 900,
    uniqueItems: true,
    items: { type: 'integer', minimum: 0, maximum: 800 },
  }),
  'too many properties': () => ({ type: 'object', minProperties: 1e308 }),
  'too long a text': () => ({ type: 'string', minLength: Number.MAX_SAFE_INTEGER }),
  'the smallest divisor': () => ({ type: 'number', multipleOf: 5e-324, minimum: 1e308 }),
  'a divisor below nothing': () => ({ type: 'number', multipleOf: -1 }),
  'nothing between the bounds': () => ({ type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 5e-324 }),
  'contradictions all over': () => ({
    allOf: Array.from({ length: 200 }, (_, i) => ({ not: { const: i } })),
    type: 'integer',
    minimum: 0,
    maximum: 199,
  }),
  'dependent on everything': () => ({
    type: 'object',
    required: ['p0'],
    dependentRequired: Object.fromEntries(Array.from({ length: 900 }, (_, i) => [`p${i}`, [`p${i + 1}`]])),
  }),
  'contains what cannot be': () => ({ type: 'array', contains: false, minContains: 1000 }),
  'of no known type': () => ({ type: 'nonsense' }),
  'keywords of the wrong type': () => ({ type: 'object', required: 'all', properties: [] }),
  'a prototype for a name': () =>
    JSON.parse(
      '{"type":"object","required":["__proto__"],"properties":{"__proto__":{"const":{"polluted":1}}}}',
    ),
  'names of every object': () => ({
    type: 'object',
    required: ['constructor', 'toString', 'hasOwnProperty'],
    properties: { constructor: { type: 'string' }, hasOwnProperty: { $ref: '#/properties/constructor' } },
  }),
  'an id elsewhere': () => ({ $id: 'http://127.0.0.1:9/', properties: { a: { $id: 'b', $ref: 'c' } } }),
  'another draft': () => ({ $schema: 'https://example.com/my-own-draft', type: 'object' }),
  'lone surrogates': () => ({ type: 'string', const: '\ud800', pattern: '\udc00' }),
};

/** Ordinary schemas of clients. */
export const PLAIN_SCHEMAS: readonly Record<string, unknown>[] = [
  {},
  { type: 'object' },
  { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  {
    type: 'object',
    properties: {
      items: {
        type: 'array',
        minItems: 1,
        items: { type: 'object', properties: { price: { type: 'number', minimum: 0 } }, required: ['price'] },
      },
      next: { anyOf: [{ type: 'string', format: 'uri' }, { type: 'null' }] },
    },
    required: ['items', 'next'],
  },
  {
    type: 'object',
    properties: { day: { type: 'string', format: 'date' }, kind: { enum: ['a', 'b'] } },
    required: ['day', 'kind'],
    additionalProperties: false,
  },
];
