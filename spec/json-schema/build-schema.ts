import type { Schema, SchemaObject, TypeName } from './schema.js';

declare const accepted: unique symbol;

/** An internal schema with the TypeScript type of the values that it accepts. */
export interface SchemaOf<T> extends SchemaObject {
  readonly [accepted]?: () => T;
}

/** The values that a schema accepts. */
export type ValueOf<S> = S extends { readonly [accepted]?: () => infer T } ? T : never;

/** A property that may be left out. */
export interface Optional<T> {
  optional: SchemaOf<T>;
}

type Properties = Readonly<Record<string, SchemaObject | Optional<unknown>>>;

/** An object with these properties. */
type FieldsOf<P extends Properties> = {
  -readonly [Key in keyof P as P[Key] extends Optional<unknown> ? never : Key]: ValueOf<P[Key]>;
} & {
  -readonly [Key in keyof P as P[Key] extends Optional<unknown> ? Key : never]?: P[Key] extends Optional<
    infer T
  >
    ? T
    : never;
};

export const anything: SchemaOf<unknown> = {};
export const text: SchemaOf<string> = { type: 'string' };
export const bool: SchemaOf<boolean> = { type: 'boolean' };
export const object: SchemaOf<Record<string, unknown>> = { type: 'object' };

/** A text that is not empty. `longest`: characters. */
export function name(longest = 1024): SchemaOf<string> {
  return { type: 'string', minLength: 1, maxLength: longest };
}

export function number(minimum?: number, maximum?: number): SchemaOf<number> {
  return {
    type: 'number',
    ...(minimum !== undefined && { minimum }),
    ...(maximum !== undefined && { maximum }),
  };
}

export function integer(
  minimum = Number.MIN_SAFE_INTEGER,
  maximum = Number.MAX_SAFE_INTEGER,
): SchemaOf<number> {
  return { type: 'integer', minimum, maximum };
}

export const count = integer(0);
/** Last instant that a date can name, ms. */
export const LATEST_MS = 8_640_000_000_000_000;
/** A time in ms. */
export const instant = integer(0, LATEST_MS);

export function oneOf<const Choice extends string | number>(...choices: readonly Choice[]): SchemaOf<Choice> {
  return { enum: [...choices] };
}

export function orNull<T>(schema: SchemaOf<T>): SchemaOf<T | null> {
  if (schema.enum) return { ...schema, enum: [...schema.enum, null] } as SchemaOf<T | null>;
  return { ...schema, type: [schema.type ?? [], 'null' as TypeName].flat() } as SchemaOf<T | null>;
}

export function optional<T>(schema: SchemaOf<T>): Optional<T> {
  return { optional: schema };
}

export function list<T>(items: SchemaOf<T>): SchemaOf<T[]> {
  return { type: 'array', items };
}

/** A list of `[id, value]`. */
export function entries<T>(value: SchemaOf<T>): SchemaOf<[string, T][]> {
  const pair = { prefixItems: [text, value], minItems: 2, maxItems: 2, 'x-expected': 'a pair [id, value]' };
  return { type: 'array', items: { type: 'array', ...pair } };
}

/** An object with these properties; others are refused where `isExact`. */
export function fields<P extends Properties>(properties: P, isExact = false): SchemaOf<FieldsOf<P>> {
  const all = Object.entries(properties);
  const schemas = all.map(([key, each]): [string, Schema] => [key, isOptional(each) ? each.optional : each]);
  return {
    type: 'object',
    required: all.flatMap(([key, each]) => (isOptional(each) ? [] : [key])),
    properties: Object.fromEntries(schemas),
    ...(isExact && { additionalProperties: false }),
  };
}

function isOptional(property: SchemaObject | Optional<unknown>): property is Optional<unknown> {
  return typeof property.optional === 'object';
}
