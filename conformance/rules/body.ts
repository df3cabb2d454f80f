/** What is known of a body. */
export type Body =
  /** There is none. */
  | { state: 'absent' }
  | { state: 'json'; value: unknown }
  /** Not all of it was kept, or it was never text: nothing can be said about it. */
  | { state: 'unknown' }
  /** The whole of it is there, and it is not JSON. */
  | { state: 'text' };

/** How journals say that they kept a part of a body, or a description in its place. */
const LEFT_OUT = /… \(\d+ more characters left out\)$|^\((?:\d+ bytes\b[^)]*|too large to be read)\)$/;

/** Never throws. */
export function readBody(text: string | undefined): Body {
  if (text === undefined || text === '') return { state: 'absent' };
  try {
    return { state: 'json', value: JSON.parse(text) };
  } catch {
    return { state: LEFT_OUT.test(text) ? 'unknown' : 'text' };
  }
}

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

/** JSON for a message, cut where it gets long. */
export function show(value: unknown): string {
  const text = safeJson(value) ?? 'nothing';
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}

/** Short text that is the same for values that are equal as JSON, whatever the order of their fields. */
export function fingerprint(value: unknown): string {
  const text = safeJson(value, sorted) ?? 'nothing';
  return text.length <= 64 ? text : `${text.length}:${hash(text, 0x811c9dc5)}:${hash(text, 0x01000193)}`;
}

/** Undefined also for what is nested too deeply to be written. */
function safeJson(value: unknown, replacer?: (key: string, value: unknown) => unknown): string | undefined {
  try {
    return JSON.stringify(value, replacer);
  } catch {
    return undefined;
  }
}

function sorted(_key: string, value: unknown): unknown {
  const fields = asFields(value);
  return fields === undefined ? value : Object.fromEntries(Object.entries(fields).sort(byName));
}

function byName([one]: [string, unknown], [other]: [string, unknown]): number {
  return one < other ? -1 : 1;
}

/** FNV-1a, 32 bits: small and the same everywhere. */
function hash(text: string, basis: number): number {
  let sum = basis;
  for (let i = 0; i < text.length; i++) sum = Math.imul(sum ^ text.charCodeAt(i), 0x01000193) >>> 0;
  return sum;
}
