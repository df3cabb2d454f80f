import { isTooDeep } from '../../spec/json.js';
import type { SchemaOf } from '../../spec/json-schema/build-schema.js';
import { assertValid } from '../../spec/json-schema/violations.js';
import { formatSuggestion } from '../../spec/nearest.js';
import { quote, truncateText } from '../../spec/show.js';
import { decodeText } from '../exchange/body.js';
import { TOO_LARGE, type WireRequest, type WireResponse } from '../exchange/wire.js';

export class AdminError extends Error {
  constructor(
    readonly status: 400 | 403 | 404 | 405 | 409 | 413 | 422 | 429,
    readonly detail: string,
    /** Additional fields of the response besides `detail`. */
    readonly more: Readonly<Record<string, unknown>> = {},
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(detail);
    this.name = 'AdminError';
  }
}

/** A response that is not JSON, such as a stream. */
export class RawResponse {
  constructor(readonly response: WireResponse) {}
}

/** Largest body of an admin request, in bytes or characters. Transports may stop reading earlier. */
export const LARGEST_ADMIN_BODY = 256 * 1024 * 1024;

/** Deepest nesting of a JSON body: a snapshot contains bodies of 64 levels. */
const DEEPEST_ADMIN_BODY = 200;

/** Throws AdminError with 400 or 413. */
export function readBodyText({ body }: WireRequest): string {
  if (body === null) return '';
  if (body === TOO_LARGE || body.length > LARGEST_ADMIN_BODY)
    throw new AdminError(413, `The body is larger than the admin API accepts: ${LARGEST_ADMIN_BODY} bytes.`);
  if (typeof body === 'string') return body;
  const text = decodeText(body);
  if (text === undefined) throw new AdminError(400, 'The body is not valid UTF-8.');
  return text;
}

/** `empty` is the result for a missing body. Throws AdminError with 400 or 413, and InvalidValue. */
export function readBodyJson<T>(request: WireRequest, schema: SchemaOf<T>, empty?: T): T {
  const text = readBodyText(request);
  const value = text.trim() === '' && empty !== undefined ? empty : parse(text);
  assertValid(schema, value);
  return value as T;
}

function parse(text: string): unknown {
  if (text.trim() === '') throw new AdminError(400, 'The body is empty; JSON is required.');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const reason = (error as Error).message;
    throw new AdminError(400, `The body is not valid JSON: ${truncateText(reason, 200)}`);
  }
  if (isTooDeep(value, DEEPEST_ADMIN_BODY))
    throw new AdminError(422, `The body is nested deeper than ${DEEPEST_ADMIN_BODY} levels.`);
  return value;
}

/** Throws AdminError with 400 for an unknown or repeated parameter. */
export function readQuery(url: string, known: readonly string[]): Record<string, string> {
  const mark = url.indexOf('?');
  const read: Record<string, string> = {};
  if (mark === -1) return read;
  for (const [name, value] of new URLSearchParams(url.slice(mark + 1))) {
    if (!known.includes(name)) {
      const there = known.length === 0 ? 'there are none here' : `known here: ${known.join(', ')}`;
      throw new AdminError(
        400,
        `There is no query parameter ${quote(name)}${formatSuggestion(name, known, there)}`,
      );
    }
    if (name in read) throw new AdminError(400, `The query parameter ${name} is given twice.`);
    read[name] = value;
  }
  return read;
}

/** Throws AdminError with 422. */
export function readCount(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new AdminError(422, `${name}: expected a whole number from 0 up, got ${quote(text)}.`);
}

/** Fields of views that hold data of clients or files: the names in it stay as they are. */
const DATA_FIELDS = ['request', 'input', 'output', 'events', 'rule', 'outcome'] as const;
type DataField = (typeof DATA_FIELDS)[number];
const DATA: ReadonlySet<string> = new Set(DATA_FIELDS);

type SnakeCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : Name;

/** A view in the JSON of the admin API: `nextDue` is `next_due`. */
export type Wire<View> = View extends readonly unknown[]
  ? { [Index in keyof View]: Wire<View[Index]> }
  : View extends object
    ? {
        [Name in keyof View as Name extends string ? SnakeCase<Name> : never]: Name extends DataField
          ? View[Name]
          : Wire<View[Name]>;
      }
    : View;

export function toWire<View>(view: View): Wire<View> {
  return convert(view) as Wire<View>;
}

function convert(view: unknown): unknown {
  if (Array.isArray(view)) return view.map(convert);
  if (typeof view !== 'object' || view === null) return view;
  return Object.fromEntries(
    Object.entries(view).map(([name, value]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      DATA.has(name) ? value : convert(value),
    ]),
  );
}
