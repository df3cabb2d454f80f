import { isEqual } from '../../spec/json-schema/schema.js';
import { shorten } from '../../spec/show.js';

export { asFields, type Fields, field } from '../../spec/json-fields.js';

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
