import { parseUrl } from '../../spec/addresses.js';
import { toFields } from '../../spec/json.js';
import { isEqual } from '../../spec/json-schema/schema.js';
import { truncateText } from '../../spec/show.js';

export { type Fields, readField, toFields } from '../../spec/json.js';

export function isOneOf<T>(known: readonly T[], value: unknown): value is T {
  return known.includes(value as T);
}

export function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

export function isUrl(value: unknown): value is string {
  return typeof value === 'string' && parseUrl(value) !== undefined;
}

/** JSON for a message, truncated; `nothing` also for values nested too deeply to serialize. */
export function show(value: unknown): string {
  return truncateText(writeJson(value), MOST_SHOWN);
}

function writeJson(value: unknown, replace?: (key: string, value: unknown) => unknown): string {
  try {
    return JSON.stringify(value, replace) ?? 'nothing';
  } catch {
    return 'nothing';
  }
}

/** Most characters of a value in a message. */
const MOST_SHOWN = 80;
/** Characters shown before the first difference. */
const SHOWN_BEFORE = 20;

/** Two values for one message: if they are long, the part in which they differ. */
export function showDifference(one: unknown, other: unknown): [string, string] {
  const [first, second] = [writeJson(one), writeJson(other)];
  let same = 0;
  while (same < first.length && first[same] === second[same]) same++;
  // The first characters show the difference, or there is none.
  if (same < MOST_SHOWN - SHOWN_BEFORE || first === second) return [show(one), show(other)];
  const from = same - SHOWN_BEFORE;
  return [first, second].map((text) => `…${truncateText(text.slice(from), MOST_SHOWN)}`) as [string, string];
}

/**
 * The same text for values that are equal as JSON, whatever the order of their fields. Values nested too deeply all get one
 * text.
 */
export function writeCanonicalJson(value: unknown): string {
  return writeJson(value, (_, each) => {
    const fields = toFields(each);
    return fields
      ? Object.fromEntries(Object.entries(fields).sort(([one], [other]) => (one < other ? -1 : 1)))
      : each;
  });
}

/** Values nested too deeply to compare count as equal. */
export function isSameJson(one: unknown, other: unknown): boolean {
  try {
    return isEqual(one, other);
  } catch {
    return true;
  }
}
