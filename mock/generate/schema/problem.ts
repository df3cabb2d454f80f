import { isObject } from '../../../spec/json-schema/schema.js';

/** What makes a schema unusable, and where: `pointer` is a JSON pointer (RFC 6901) into the schema. */
export interface SchemaProblem {
  pointer: string;
  expected: string;
  got: string;
}

/** A value as it can stand in a message: JSON, cut to 60 characters. */
export function shown(value: unknown): string {
  const text = value === undefined ? 'nothing' : (JSON.stringify(value) ?? typeof value);
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}

/** JSON text that is the same for equal values, whatever the order of their keys. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    isObject(inner) ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1))) : inner,
  );
}
