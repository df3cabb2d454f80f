/** Satisfiable schemas by feature: the generator must find a value. */
export const SATISFIABLE: Record<string, unknown> = {
  true: true,
  empty: {},
  'nested objects': {
    type: 'object',
    required: ['user'],
    properties: {
      user: {
        type: 'object',
        required: ['name', 'address'],
        properties: {
          name: { type: 'string' },
          email: { type: 'string', format: 'email' },
          address: {
            type: 'object',
            required: ['city'],
            properties: { city: { type: 'string' }, zip: { type: 'string', pattern: '^\\d{5}$' } },
          },
        },
      },
    },
    additionalProperties: false,
  },
  'array bounds': { type: 'array', items: { type: 'integer' }, minItems: 7, maxItems: 8 },
  'unique items of an enum': { type: 'array', uniqueItems: true, minItems: 3, items: { enum: [1, 2, 3] } },
  'prefix items': {
    type: 'array',
    prefixItems: [{ type: 'string' }, { type: 'integer' }],
    items: false,
    minItems: 2,
  },
  'contains and minContains': {
    type: 'array',
    contains: { const: 7 },
    minContains: 2,
    items: { type: 'integer' },
  },
  'contains and maxContains': {
    type: 'array',
    contains: { type: 'string' },
    maxContains: 1,
    minItems: 3,
    items: { type: ['string', 'integer'] },
  },
  'names by pattern': {
    type: 'object',
    propertyNames: { pattern: '^x-[a-z]+$' },
    minProperties: 2,
    additionalProperties: { type: 'integer' },
  },
  'pattern properties and minProperties': {
    type: 'object',
    patternProperties: { '^s_[a-z]+$': { type: 'string' } },
    additionalProperties: false,
    minProperties: 3,
  },
  duration: { type: 'string', format: 'duration' },
  'enum with bounds': { type: 'integer', enum: [1, 5, 10], minimum: 4, maximum: 6 },
  'const object': { const: { a: [1, { b: null }] } },
  'const named like a prototype member': {
    type: 'object',
    properties: { constructor: { const: 1 }, toString: { type: 'string' } },
    required: ['constructor', 'toString'],
  },
  'pattern with length': { type: 'string', pattern: '^[a-z]+$', minLength: 50, maxLength: 60 },
  'pattern of an order number': { type: 'string', pattern: '^(?:[A-Z]{2}|ORD)-\\d{4,6}(?:\\.[^\\W_])?$' },
  'pattern with escapes': {
    type: 'string',
    pattern: '^\\u0041\\x42\\/[\\w.-]+@[^\\s@]+\\.(com|org)\\p{Lu}$',
  },
  'pattern that backtracks': { type: 'string', pattern: '(a+)+$' },
  'pattern and format': { type: 'string', format: 'uri', pattern: '^https://' },
  'pattern of a date': { type: 'string', format: 'date', pattern: '^\\d{4}-\\d{2}-\\d{2}$' },
  'pattern of nothing': { type: 'string', pattern: '^(((a?)*)*)*$' },
  'two patterns': { allOf: [{ type: 'string', pattern: '^[a-z]{3,8}$' }, { pattern: 'z$' }] },
  'tight decimals': { type: 'number', multipleOf: 0.01, minimum: 0.05, maximum: 0.09 },
  'exclusive bounds': { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1e-6 },
  'two divisors': { type: 'integer', allOf: [{ multipleOf: 6 }, { multipleOf: 4 }], minimum: 1, maximum: 30 },
  'large integers': { type: 'integer', minimum: 1e12, maximum: 1e12 + 3 },
  'linked list': {
    $ref: '#/$defs/node',
    $defs: {
      node: {
        type: 'object',
        required: ['next'],
        properties: { next: { anyOf: [{ $ref: '#/$defs/node' }, { type: 'null' }] } },
      },
    },
  },
  'tree with required children': {
    $defs: {
      n: {
        type: 'object',
        required: ['v', 'c'],
        properties: { v: { type: 'integer' }, c: { type: 'array', items: { $ref: '#/$defs/n' } } },
      },
    },
    $ref: '#/$defs/n',
  },
  'one of by constant': {
    oneOf: [
      {
        type: 'object',
        properties: { kind: { const: 'a' }, n: { type: 'integer' } },
        required: ['kind', 'n'],
      },
      {
        type: 'object',
        properties: { kind: { const: 'b' }, s: { type: 'string' } },
        required: ['kind', 's'],
      },
    ],
  },
  'one of by required': {
    type: 'object',
    properties: { a: { type: 'string' }, b: { type: 'string' } },
    oneOf: [{ required: ['a'] }, { required: ['b'] }],
  },
  'one of overlapping numbers': {
    oneOf: [
      { type: 'integer', multipleOf: 3 },
      { type: 'integer', multipleOf: 5 },
    ],
  },
  'all of merged': {
    allOf: [
      { type: 'object', required: ['a'], properties: { a: { type: 'integer', minimum: 5 } } },
      { properties: { a: { maximum: 6 } } },
    ],
  },
  'if then else': {
    type: 'object',
    properties: { k: { enum: ['x', 'y'] }, n: { type: 'number' } },
    required: ['k'],
    if: { properties: { k: { const: 'x' } } },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { required: ['n'] },
    else: { properties: { n: false } },
  },
  'not an enum': { type: 'integer', minimum: 0, maximum: 3, not: { enum: [0, 1, 2] } },
  'not a type': { not: { type: ['string', 'object', 'array'] } },
  'not both required': {
    type: 'object',
    properties: { a: { type: 'integer' }, b: { type: 'integer' } },
    not: { required: ['a', 'b'] },
  },
  'list of types': { type: ['string', 'null', 'integer'] },
  nullable: { type: 'object', properties: { a: { type: 'string', nullable: true } }, required: ['a'] },
  'dependent required': {
    type: 'object',
    properties: { card: { type: 'string' }, cvc: { type: 'string' } },
    required: ['card'],
    dependentRequired: { card: ['cvc'] },
  },
  'dependent schemas': {
    type: 'object',
    properties: { card: { type: 'string' } },
    required: ['card'],
    dependentSchemas: {
      card: { required: ['name'], properties: { name: { type: 'string', minLength: 3 } } },
    },
  },
  'map of values': {
    type: 'object',
    additionalProperties: { type: 'array', items: { type: 'boolean' }, minItems: 1 },
    minProperties: 2,
    maxProperties: 2,
  },
  'anchors and escaped pointers': {
    type: 'object',
    required: ['a', 'b'],
    properties: { a: { $ref: '#thing' }, b: { $ref: '#/$defs/x~1y%20z' } },
    $defs: { t: { $anchor: 'thing', type: 'integer' }, 'x/y z': { type: 'boolean' } },
  },
  'reference to an unusual place': {
    $ref: '#/components/schemas/A',
    components: {
      schemas: {
        A: { type: 'object', required: ['id'], properties: { id: { type: 'string', format: 'uuid' } } },
      },
    },
  },
  'another dialect and an id': {
    $schema: 'http://json-schema.org/draft-07/schema#',
    $id: 'https://example.com/a.json',
    id: 'x',
    type: 'object',
    definitions: { s: { type: 'string' } },
    properties: { a: { $ref: '#/definitions/s' } },
    required: ['a'],
  },
  'formats by unlikely names': { type: 'string', format: 'constructor' },
  'unique objects over few values': {
    type: 'array',
    uniqueItems: true,
    minItems: 6,
    items: {
      type: 'object',
      properties: { id: { type: 'integer', minimum: 1, maximum: 6 } },
      required: ['id'],
      additionalProperties: false,
    },
  },
  'several names of one pattern': {
    type: 'object',
    patternProperties: { '^x_': { type: 'integer' } },
    minProperties: 2,
    additionalProperties: false,
  },
  'a pattern that ends an address': { type: 'string', format: 'email', pattern: '@acme\\.com$' },
  'a pattern that begins an address': { type: 'string', format: 'email', pattern: '^sales' },
  'a pattern that ends a link': { type: 'string', format: 'uri', pattern: '\\.pdf$' },
  'a pattern that ends a host': { type: 'string', format: 'hostname', pattern: '\\.acme\\.com$' },
  'a pattern that begins a date': { type: 'string', format: 'date', pattern: '^2024-' },
  'a format of numbers beside a pattern of texts': { type: 'string', format: 'int32', pattern: '^[a-z]{3}$' },
  'invalid default': { type: 'integer', default: 'three', minimum: 2 },
};

/** Schemas that no value satisfies. */
export const UNSATISFIABLE: Record<string, unknown> = {
  false: false,
  'min above max': { type: 'array', minItems: 3, maxItems: 2 },
  'minimum above maximum': { type: 'integer', minimum: 3, maximum: 2 },
  'recursion without end': { type: 'object', required: ['a'], properties: { a: { $ref: '#' } } },
  'contradicting types': { allOf: [{ type: 'string' }, { type: 'integer' }] },
  'empty enum by type': { type: 'string', enum: [1, 2] },
  'not anything': { not: {} },
  'required yet forbidden': { type: 'object', required: ['a'], properties: { a: false } },
  'more unique items than values': {
    type: 'array',
    minItems: 4,
    uniqueItems: true,
    items: { enum: [1, 2, 3] },
  },
  'too many items': { type: 'array', minItems: 1e9, items: { type: 'integer' } },
  'too long': { type: 'string', minLength: 10_001 },
};

export const FORMATS = [
  ...[
    'date',
    'time',
    'date-time',
    'duration',
    'email',
    'uri',
    'url',
    'uri-reference',
    'uri-template',
    'uuid',
    'ipv4',
    'ipv6',
  ],
  ...[
    'hostname',
    'json-pointer',
    'json-pointer-uri-fragment',
    'relative-json-pointer',
    'regex',
    'byte',
    'iso-time',
    'iso-date-time',
  ],
];
