import type { SchemaObject } from '../../spec/json-schema/schema.js';

/** Says that no value was found. */
export const NONE = Symbol('none');

/** The highest of the lower bounds that the schemas give, or `otherwise`. */
export function most(
  schemas: readonly SchemaObject[],
  keyword: keyof SchemaObject,
  otherwise: number,
): number {
  return schemas.reduce(
    (bound, schema) => Math.max(bound, (schema[keyword] as number | undefined) ?? bound),
    otherwise,
  );
}

/** The lowest of the upper bounds that the schemas give, or `otherwise`. */
export function least(
  schemas: readonly SchemaObject[],
  keyword: keyof SchemaObject,
  otherwise: number,
): number {
  return schemas.reduce(
    (bound, schema) => Math.min(bound, (schema[keyword] as number | undefined) ?? bound),
    otherwise,
  );
}
