import type { Fields } from './fields.js';
import { JsonBody } from './json-body.js';
import { Recent } from './recent.js';

export { asFields, type Fields, field } from './fields.js';

/** What is known of a body. */
export type Body =
  /** There is none. */
  | { state: 'absent' }
  | JsonBody
  /** Not all of it was kept, or it was never text: nothing can be said about it. */
  | { state: 'unknown' }
  /** The whole of it is there, and it is not JSON. */
  | { state: 'text' };

/** How journals say that they kept a part of a body, or a description in its place. */
const LEFT_OUT = /… \(\d+ more characters left out\)$|^\((?:\d+ bytes\b[^)]*|too large to be read)\)$/;

const ABSENT: Body = { state: 'absent' };

const recent = new Recent<Body>(500);
/** Longer ones are not kept, characters. */
const LONGEST_RECENT = 4096;

/** Never throws. What it gives may be shared: nobody changes it. */
export function readBody(text: string | undefined): Body {
  if (text === undefined || text === '') return ABSENT;
  if (text.length > LONGEST_RECENT) return parse(text);
  let body = recent.get(text);
  if (!body) {
    body = parse(text);
    recent.set(text, body);
  }
  return body;
}

function parse(text: string): Body {
  try {
    return new JsonBody(JSON.parse(text));
  } catch {
    return { state: LEFT_OUT.test(text) ? 'unknown' : 'text' };
  }
}

/** A URL with a scheme. */
export function isAddress(value: unknown): value is string {
  return typeof value === 'string' && URL.canParse(value);
}

/** JSON for a message, cut where it gets long. */
export function show(value: unknown): string {
  const text = safeJson(value) ?? 'nothing';
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}

/** Short text that is the same for values that are equal as JSON, whatever the order of their fields. */
export function fingerprint(value: unknown): string {
  const text = sortedJson(value) ?? 'nothing';
  return text.length <= 64 ? text : `${text.length}:${hash(text, 0x811c9dc5)}:${hash(text, 0x01000193)}`;
}

/** Undefined also for what is nested too deeply to be written. */
function safeJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

/** The same with the fields of every object in the order of their names. */
function sortedJson(value: unknown): string | undefined {
  try {
    return writeSorted(value);
  } catch {
    return undefined;
  }
}

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

/** FNV-1a, 32 bits: small and the same everywhere. */
function hash(text: string, basis: number): number {
  let sum = basis;
  for (let i = 0; i < text.length; i++) sum = Math.imul(sum ^ text.charCodeAt(i), 0x01000193) >>> 0;
  return sum;
}
