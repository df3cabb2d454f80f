/**
 * Reads records whose fields the description does not define. No field is required: a missing value is undefined, and the case
 * reports what it searched for.
 */
import { isText, readField, toFields } from '../../conversation/json.js';
import type { ApiResponse } from '../http-client/response.js';

/** The content of a success: `r` if there is an envelope, else the body (open point `envelope.unwrapped-rows`). */
export function readPayload({ body, r }: ApiResponse): unknown {
  return toFields(body) !== undefined && Object.hasOwn(body as object, 'r') ? r : body;
}

/** Whether a text or field name anywhere in `value` contains the unique words as a whole: ids may be in any field. */
export function containsText(value: unknown, words: string): boolean {
  const whole = new RegExp(`(?<![A-Za-z0-9])${words.replace(/[^A-Za-z0-9]/g, '\\$&')}(?![A-Za-z0-9])`);
  const contains = (each: unknown): boolean => {
    if (typeof each === 'string') return whole.test(each);
    if (Array.isArray(each)) return each.some(contains);
    return Object.entries(toFields(each) ?? {}).some(([name, part]) => whole.test(name) || contains(part));
  };
  return contains(value);
}

/** Fields that may wrap the requested record. */
const WRAPPERS = ['data', 'item', 'result', 'response', 'record'];

/** The id in the first of these fields that has one, as text or number; `record` itself if it is one. */
export function readId(record: unknown, names: readonly string[]): string | undefined {
  const toId = (value: unknown) =>
    (typeof value === 'string' && value !== '') || typeof value === 'number' ? String(value) : undefined;
  return toId(record) ?? findField(record, names, toId);
}

/** The integer in the first of these fields that has one, as number or text. */
export function readInteger(record: unknown, names: readonly string[]): number | undefined {
  return findField(record, names, (value) => {
    const number = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value;
    return Number.isSafeInteger(number) ? (number as number) : undefined;
  });
}

/** The value of the first of these fields that `read` accepts. For `workspace_id` the field `workspace` counts, too. */
function findField<T>(
  record: unknown,
  names: readonly string[],
  read: (value: unknown) => T | undefined,
): T | undefined {
  for (const name of names) {
    const found = read(readField(record, name));
    if (found !== undefined) return found;
  }
  const kinds = names.flatMap((name) => /^(\w+?)_?(?:id|Id)$/.exec(name)?.[1] ?? []);
  for (const name of [...kinds, ...WRAPPERS]) {
    const part = toFields(readField(record, name));
    const found = part && findField(part, names, read);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The entries of the longest list at the highest level of the body; undefined if there is none. */
export function readRows(body: unknown): readonly unknown[] | undefined {
  return [...collectLists(body).values()].sort((one, other) => other.length - one.length)[0];
}

/** The lists at the highest level that has any, by path. */
export function collectLists(body: unknown): ReadonlyMap<string, readonly unknown[]> {
  let level: [path: string, value: unknown][] = [['', body]];
  for (let depth = 0; depth <= 2; depth++) {
    const lists = level.filter((each): each is [string, unknown[]] => Array.isArray(each[1]));
    if (lists.length > 0) return new Map(lists);
    level = level.flatMap(([path, value]) =>
      Object.entries(toFields(value) ?? {}).map(([name, part]): [string, unknown] => [
        `${path}.${name}`,
        part,
      ]),
    );
  }
  return new Map();
}

/** The list entry that contains one of the unique words. */
export function findMember(payload: unknown, ...words: string[]): unknown {
  return collectMembers(payload).find((member) => words.some((each) => containsText(member, each)));
}

/** The record or list entry with this id. */
export function findRecord(payload: unknown, names: readonly string[], id: string): unknown {
  return [payload, ...collectMembers(payload)].find((record) => readId(record, names) === id);
}

/** The entries of all lists at the highest level. */
export function collectMembers(payload: unknown): unknown[] {
  return [...collectLists(payload).values()].flat();
}

/** All entries of arrays below a field with a matching name. */
function collectMembersUnder(value: unknown, name: RegExp): unknown[] {
  if (Array.isArray(value)) return value.flatMap((each) => collectMembersUnder(each, name));
  return Object.entries(toFields(value) ?? {}).flatMap(([key, part]) => [
    ...(name.test(key) && Array.isArray(part) ? part : []),
    ...collectMembersUnder(part, name),
  ]);
}

/** All objects in arrays below a field with a matching name. */
export function collectRecords(value: unknown, name: RegExp): Readonly<Record<string, unknown>>[] {
  return collectMembersUnder(value, name).filter((each) => toFields(each) !== undefined) as Record<
    string,
    unknown
  >[];
}

/** All texts in such arrays that can be ids; a file name or address cannot. */
export function collectIds(value: unknown, name: RegExp, filename: string): string[] {
  const isId = (each: unknown) => isText(each) && each !== filename && !each.includes('://');
  return collectMembersUnder(value, name).filter(isId) as string[];
}

/** A value without nested values. */
interface Leaf {
  /** The field name; for an array entry, that of the array. */
  name: string;
  /** The dotted path. */
  path: string;
  value: unknown;
}

export function collectLeaves(value: unknown, name = '', path = ''): Leaf[] {
  if (Array.isArray(value)) return value.flatMap((each) => collectLeaves(each, name, path));
  const fields = toFields(value);
  if (fields === undefined) return [{ name, path, value }];
  return Object.entries(fields).flatMap(([key, part]) =>
    collectLeaves(part, key, path === '' ? key : `${path}.${key}`),
  );
}

/** The text closest to the top in a field of the first name, else of the next names. */
export function findText(value: unknown, ...names: string[]): string | undefined {
  const texts = collectLeaves(value).filter((leaf) => isText(leaf.value));
  const countDepth = ({ path }: Leaf) => path.split('.').length;
  const sorted = texts.toSorted((a, b) => countDepth(a) - countDepth(b));
  const found = names.flatMap((name) => sorted.find((leaf) => leaf.name === name) ?? [])[0];
  return found?.value as string | undefined;
}

/** All texts and numbers anywhere in a body, as text. */
export function collectValues(body: unknown, found = new Set<string>()): Set<string> {
  if (body === null || typeof body !== 'object') found.add(String(body));
  else for (const each of Object.values(body)) collectValues(each, found);
  return found;
}

/** Shorter suffixes may be sequence numbers, so that a changed one may exist. */
const LEAST_TAIL = 8;
/** Too high for a sequence number, and below 2^31. */
const NEVER_COUNTED = '908172635';

/** An id in the same format that does not exist, so that its absence is the only reason for a refusal. */
export function createUnknownId(id: string): string {
  const tail = /[0-9a-z]+$/i.exec(id)?.[0].slice(-12) ?? '';
  const turned = [...tail].reverse().join('');
  if (/^\d+$/.test(id) && tail.length < LEAST_TAIL) return NEVER_COUNTED;
  if (tail.length < LEAST_TAIL || turned === tail) return `${id}${/\d$/.test(id) ? '' : '-'}${NEVER_COUNTED}`;
  return id.slice(0, id.length - tail.length) + turned;
}
