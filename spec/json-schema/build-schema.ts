import type { Schema, SchemaObject, TypeName } from './schema.js';

/** A property that may be left out. */
interface Optional {
  optional: SchemaObject;
}

export const anything: SchemaObject = {};
export const text: SchemaObject = { type: 'string' };
export const bool: SchemaObject = { type: 'boolean' };
export const object: SchemaObject = { type: 'object' };

/** A text that is not empty. `longest`: characters. */
export function name(longest = 1024): SchemaObject {
  return { type: 'string', minLength: 1, maxLength: longest };
}

export function number(minimum?: number, maximum?: number): SchemaObject {
  return {
    type: 'number',
    ...(minimum !== undefined && { minimum }),
    ...(maximum !== undefined && { maximum }),
  };
}

export function integer(minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER): SchemaObject {
  return { type: 'integer', minimum, maximum };
}

export function oneOf(...choices: readonly (string | number)[]): SchemaObject {
  return { enum: [...choices] };
}

export function orNull(schema: SchemaObject): SchemaObject {
  if (schema.enum) return { ...schema, enum: [...schema.enum, null] };
  return { ...schema, type: [schema.type ?? [], 'null' as TypeName].flat() };
}

export function optional(schema: SchemaObject): Optional {
  return { optional: schema };
}

export function list(items: SchemaObject): SchemaObject {
  return { type: 'array', items };
}

/** A list of `[id, value]`. */
export function entries(value: SchemaObject): SchemaObject {
  const pair = { prefixItems: [text, value], minItems: 2, maxItems: 2, 'x-expected': 'a pair [id, value]' };
  return list({ type: 'array', ...pair });
}

/** An object with these properties; others are refused where `isExact`. */
export function fields(
  properties: Readonly<Record<string, SchemaObject | Optional>>,
  isExact = false,
): SchemaObject {
  const all = Object.entries(properties);
  const schemas = all.map(([key, each]): [string, Schema] => [key, isOptional(each) ? each.optional : each]);
  return {
    type: 'object',
    required: all.flatMap(([key, each]) => (isOptional(each) ? [] : [key])),
    properties: Object.fromEntries(schemas),
    ...(isExact && { additionalProperties: false }),
  };
}

function isOptional(property: SchemaObject | Optional): property is Optional {
  return typeof property.optional === 'object';
}
