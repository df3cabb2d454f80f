import fc from 'fast-check';

const small = fc.integer({ min: 0, max: 4 });
const name = fc.constantFrom('a', 'b', 'city', 'price', 'x-1', 'constructor');
const scalar = fc.oneof(
  fc.integer({ min: -3, max: 9 }),
  fc.constantFrom('', 'a', 'Rome'),
  fc.constant(null),
  fc.boolean(),
);
const patterns = fc.constantFrom(
  '^[a-z]+$',
  '^x-',
  '\\d{2,}',
  '^(a|b)*c$',
  '(a+)+$',
  '^[^\\s@]+@[^\\s@]+$',
  '^$',
);
const formats = fc.constantFrom(
  'date',
  'email',
  'uri',
  'uuid',
  'ipv4',
  'hostname',
  'duration',
  'time',
  'unknown',
);

/** Schemas of every keyword, often with contradictions, sometimes recursive. */
const { schema } = fc.letrec<{ schema: object | boolean; object: object }>((tie) => {
  const inner = tie('schema');
  const list = fc.array(inner, { minLength: 1, maxLength: 3 });
  const map = fc.dictionary(name, inner, { maxKeys: 4 });
  const names = fc.uniqueArray(name, { maxLength: 3 });
  const optional = { requiredKeys: [] };
  return {
    schema: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      fc.constantFrom(true, {}, { type: 'string' }, { type: 'integer' }),
      tie('object'),
    ),
    object: fc.oneof(
      fc.record({ enum: fc.uniqueArray(scalar, { minLength: 1, maxLength: 5 }) }),
      fc.record({ const: scalar }),
      fc.record(
        {
          type: fc.constant('string'),
          minLength: small,
          maxLength: fc.integer({ min: 0, max: 30 }),
          pattern: patterns,
          format: formats,
        },
        { requiredKeys: ['type'] },
      ),
      fc.record(
        {
          type: fc.constantFrom('number', 'integer'),
          minimum: fc.integer({ min: -20, max: 20 }),
          exclusiveMaximum: fc.integer({ min: -10, max: 300 }),
          multipleOf: fc.constantFrom(1, 2, 3, 0.1, 0.25, 7.5),
        },
        { requiredKeys: ['type'] },
      ),
      fc.record(
        {
          type: fc.constant('array'),
          items: inner,
          prefixItems: list,
          contains: inner,
          minItems: small,
          maxItems: small,
          uniqueItems: fc.boolean(),
          minContains: small,
        },
        { requiredKeys: ['type'] },
      ),
      fc.record(
        {
          type: fc.constant('object'),
          properties: map,
          required: names,
          additionalProperties: inner,
          patternProperties: fc.dictionary(fc.constantFrom('^x-', '^[a-c]$'), inner, { maxKeys: 2 }),
          propertyNames: fc.constantFrom({ maxLength: 4 }, { pattern: '^[a-z]+$' }, true),
          minProperties: small,
          maxProperties: small,
          dependentRequired: fc.dictionary(name, names, { maxKeys: 2 }),
          dependentSchemas: fc.dictionary(name, inner, { maxKeys: 1 }),
        },
        { requiredKeys: ['type'] },
      ),
      fc.record({ allOf: list, anyOf: list, oneOf: list, not: inner }, optional),
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      fc.record({ if: inner, then: inner, else: inner }, { requiredKeys: ['if'] }),
      fc.record({
        type: fc.uniqueArray(fc.constantFrom('string', 'null', 'object', 'array', 'boolean'), {
          minLength: 1,
        }),
      }),
      fc.constantFrom({ $ref: '#' }, { $ref: '#/$defs/d' }),
    ),
  };
});

/** A schema with a definition that it may refer to. */
export const anySchema = fc
  .record({ body: schema, d: schema })
  .map(({ body, d }) => ({ ...(typeof body === 'object' ? body : { not: { not: body } }), $defs: { d } }));
