import { toFields } from '../../spec/json-fields.js';
import { isEqual } from '../../spec/json-schema/schema.js';
import { truncateText } from '../../spec/show.js';

export { type Fields, readField, toFields } from '../../spec/json-fields.js';

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
/** Characters shown before the first that differs. */
const SHOWN_BEFORE = 20;

/** Two values for one message: where they are long, the part in which they differ. */
export function showDifference(one: unknown, other: unknown): [string, string] {
  const [first, second] = [writeJson(one), writeJson(other)];
  let same = 0;
  while (same < first.length && first[same] === second[same]) same++;
  // The beginning shows it, or nothing does.
  if (same < MOST_SHOWN - SHOWN_BEFORE || first === second) return [show(one), show(other)];
  const from = same - SHOWN_BEFORE;
  return [first, second].map((text) => `…${truncateText(text.slice(from), MOST_SHOWN)}`) as [string, string];
}

/** One text for all values that are equal as JSON, whatever the order of their fields; one for all that are nested too deeply. */
export function writeCanonicalJson(value: unknown): string {
  return writeJson(value, (_, each) => {
    const fields = toFields(each);
    return fields
      ? Object.fromEntries(Object.entries(fields).sort(([one], [other]) => (one < other ? -1 : 1)))
      : each;
  });
}

/** Equal as JSON. What is nested too deeply to be compared is. */
export function isSameJson(one: unknown, other: unknown): boolean {
  try {
    return isEqual(one, other);
  } catch {
    return true;
  }
}
