/**
 * Reads records whose fields the description does not show. Nothing here expects a field to be there: what cannot be
 * found is undefined, and the case says what it looked for.
 */
import { asFields, field } from '../../conversation/json.js';
import type { ApiResponse } from '../http-client/response.js';
import { isPlainId, rowsOf } from '../request-builders/read.js';

/** What a success carries: `r` where there is an envelope, else the body itself (open point `envelope.unwrapped-rows`). */
export function payloadOf({ body, r }: ApiResponse): unknown {
  return asFields(body) !== undefined && Object.hasOwn(body as object, 'r') ? r : body;
}

/** True when a text, a number or the name of a field anywhere in `value` holds the token as a whole. */
export function mentions(value: unknown, token: string): boolean {
  const whole = new RegExp(`(?<![A-Za-z0-9])${token.replace(/[^A-Za-z0-9]/g, '\\$&')}(?![A-Za-z0-9])`);
  const holds = (each: unknown): boolean => {
    if (typeof each === 'string') return whole.test(each);
    if (typeof each === 'number') return String(each) === token;
    if (Array.isArray(each)) return each.some(holds);
    return Object.entries(asFields(each) ?? {}).some(([name, part]) => whole.test(name) || holds(part));
  };
  return holds(value);
}

/** Fields that may stand around the record that was asked for. */
const WRAPPERS = ['data', 'item', 'result', 'response', 'record'];

/** The first of these fields that holds an id: text or a number; the value itself where it is one. */
export function idIn(record: unknown, names: readonly string[]): string | undefined {
  const asId = (value: unknown) =>
    (typeof value === 'string' && value !== '') || typeof value === 'number' ? String(value) : undefined;
  return asId(record) ?? findField(record, names, asId);
}

/** The first of these fields that holds an integer, as a number or as text. */
export function integerIn(record: unknown, names: readonly string[]): number | undefined {
  return findField(record, names, (value) => {
    const number = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value;
    return Number.isSafeInteger(number) ? (number as number) : undefined;
  });
}

/** The first of these fields that `read` makes something of. `workspace_id` is looked for in `workspace` too. */
function findField<T>(
  record: unknown,
  names: readonly string[],
  read: (value: unknown) => T | undefined,
): T | undefined {
  for (const name of names) {
    const found = read(field(record, name));
    if (found !== undefined) return found;
  }
  const kinds = names.flatMap((name) => /^(\w+?)_?(?:id|Id)$/.exec(name)?.[1] ?? []);
  for (const name of [...kinds, ...WRAPPERS]) {
    const part = asFields(field(record, name));
    const found = part && findField(part, names, read);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The member of the list that mentions one of the tokens. */
export function memberWith(payload: unknown, ...tokens: string[]): unknown {
  return rowsOf(payload)?.find((member) => tokens.some((token) => mentions(member, token)));
}

/** All members of arrays anywhere in `value` that stand below a field of such a name. */
function membersUnder(value: unknown, name: RegExp): unknown[] {
  if (Array.isArray(value)) return value.flatMap((each) => membersUnder(each, name));
  return Object.entries(asFields(value) ?? {}).flatMap(([key, part]) => [
    ...(name.test(key) && Array.isArray(part) ? part : []),
    ...membersUnder(part, name),
  ]);
}

/** All objects that stand in an array below a field of such a name. */
export function recordsUnder(value: unknown, name: RegExp): Readonly<Record<string, unknown>>[] {
  return membersUnder(value, name).filter((each) => asFields(each) !== undefined) as Record<
    string,
    unknown
  >[];
}

/** All texts that stand there by themselves; neither the file's name nor an address is an id. */
export function idsUnder(value: unknown, name: RegExp, filename: string): string[] {
  return membersUnder(value, name).filter((each) => isPlainId(each, filename));
}

/** A value that holds no other. */
export interface Leaf {
  /** The field it stands in or, in an array, that of the array. */
  name: string;
  /** The way to it, with dots. */
  path: string;
  value: unknown;
}

/** All leaves of a record. */
export function leavesOf(value: unknown, name = '', path = ''): Leaf[] {
  if (Array.isArray(value)) return value.flatMap((each) => leavesOf(each, name, path));
  const fields = asFields(value);
  if (fields === undefined) return [{ name, path, value }];
  return Object.entries(fields).flatMap(([key, part]) =>
    leavesOf(part, key, path === '' ? key : `${path}.${key}`),
  );
}

/** A record may be an array. */
export function isRecord(value: unknown): boolean {
  return asFields(value) !== undefined || Array.isArray(value);
}
