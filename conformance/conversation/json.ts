import { isEqual } from '../../spec/json-schema/schema.js';
import { shorten } from '../../spec/show.js';

export type Fields = Readonly<Record<string, unknown>>;

/** The value if it is a JSON object. */
export function asFields(value: unknown): Fields | undefined {
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Fields) : undefined;
}

/** The own field of that name, whatever the value is. */
export function field(value: unknown, name: string): unknown {
  const fields = asFields(value);
  return fields !== undefined && Object.hasOwn(fields, name) ? fields[name] : undefined;
}

export function isOneOf<T>(known: readonly T[], value: unknown): value is T {
  return known.includes(value as T);
}

/** A text that is not empty. */
export function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** A URL with a scheme. */
export function isUrl(value: unknown): value is string {
  return typeof value === 'string' && URL.canParse(value);
}

/** JSON for a message, cut where it gets long; `nothing` also for what is nested too deeply to be written. */
export function show(value: unknown): string {
  try {
    return shorten(JSON.stringify(value) ?? 'nothing', 80);
  } catch {
    return 'nothing';
  }
}

/** Equal as JSON. What is nested too deeply to be compared is. */
export function isSameJson(one: unknown, other: unknown): boolean {
  try {
    return isEqual(one, other);
  } catch {
    return true;
  }
}
