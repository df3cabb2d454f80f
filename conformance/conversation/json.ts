import { hashOf } from '../../spec/hash.js';

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

/** Short text that is the same for values that are equal as JSON, whatever the order of their fields. */
export function fingerprint(value: unknown): string {
  const text = orNothing(() => writeSorted(value));
  return text.length <= 64 ? text : `${text.length}:${hashOf(text)}`;
}

/** `nothing` also for what is nested too deeply to be written. */
function orNothing(write: () => string | undefined): string {
  try {
    return write() ?? 'nothing';
  } catch {
    return 'nothing';
  }
}

/** JSON with the fields of every object in the order of their names. */
function writeSorted(value: unknown): string | undefined {
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((each) => writeSorted(each) ?? 'null').join()}]`;
  const parts: string[] = [];
  for (const name of Object.keys(value).sort()) {
    const text = writeSorted((value as Fields)[name]);
    if (text !== undefined) parts.push(`${JSON.stringify(name)}:${text}`);
  }
  return `{${parts.join()}}`;
}
