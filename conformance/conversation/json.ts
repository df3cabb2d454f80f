import { isEqual } from '../../spec/json-schema/schema.js';

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

/** JSON for a message, cut where it gets long. */
export function show(value: unknown): string {
  const text = orNothing(() => JSON.stringify(value));
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}

/** Text that is the same for values that are equal as JSON, whatever the order of their fields. */
export function fingerprint(value: unknown): string {
  const sorted = (_: string, each: unknown) =>
    asFields(each) ? Object.fromEntries(Object.entries(each as Fields).sort()) : each;
  return orNothing(() => JSON.stringify(value, sorted));
}

/** `nothing` also for what is nested too deeply to be written. */
function orNothing(write: () => string | undefined): string {
  try {
    return write() ?? 'nothing';
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
