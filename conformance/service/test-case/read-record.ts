/**
 * Reads records whose fields the description does not show. Nothing here expects a field to be there: what cannot be
 * found is undefined, and the case says what it looked for.
 */
import { isText, readField, toFields } from '../../conversation/json.js';
import type { ApiResponse } from '../http-client/response.js';

/** What a success carries: `r` where there is an envelope, else the body itself (open point `envelope.unwrapped-rows`). */
export function readPayload({ body, r }: ApiResponse): unknown {
  return toFields(body) !== undefined && Object.hasOwn(body as object, 'r') ? r : body;
}

/** True when a text or the name of a field anywhere in `value` holds the words as a whole, which we made up: ids may be anywhere. */
export function containsText(value: unknown, words: string): boolean {
  const whole = new RegExp(`(?<![A-Za-z0-9])${words.replace(/[^A-Za-z0-9]/g, '\\$&')}(?![A-Za-z0-9])`);
  const contains = (each: unknown): boolean => {
    if (typeof each === 'string') return whole.test(each);
    if (Array.isArray(each)) return each.some(contains);
    return Object.entries(toFields(each) ?? {}).some(([name, part]) => whole.test(name) || contains(part));
  };
  return contains(value);
}

/** Fields that may stand around the record that was asked for. */
const WRAPPERS = ['data', 'item', 'result', 'response', 'record'];

/** The first of these fields that holds an id: text or a number; the value itself where it is one. */
export function readId(record: unknown, names: readonly string[]): string | undefined {
  const toId = (value: unknown) =>
    (typeof value === 'string' && value !== '') || typeof value === 'number' ? String(value) : undefined;
  return toId(record) ?? findField(record, names, toId);
}

/** The first of these fields that holds an integer, as a number or as text. */
export function readInteger(record: unknown, names: readonly string[]): number | undefined {
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

/** The members of a list, wherever in the body it stands, of the longest of several; undefined where there is none. */
export function readRows(body: unknown): readonly unknown[] | undefined {
  return [...collectLists(body).values()].sort((one, other) => other.length - one.length)[0];
}

/** The lists that stand highest in a body, by the way to them. */
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

/** The member of the list that mentions one of our words. */
export function findMember(payload: unknown, ...words: string[]): unknown {
  return collectMembers(payload).find((member) => words.some((each) => containsText(member, each)));
}

/** The record or the member of a list that has this id in the first of the fields that holds one. */
export function findRecord(payload: unknown, names: readonly string[], id: string): unknown {
  return [payload, ...collectMembers(payload)].find((record) => readId(record, names) === id);
}

/** The members of all lists that stand highest. */
export function collectMembers(payload: unknown): unknown[] {
  return [...collectLists(payload).values()].flat();
}

/** All members of arrays anywhere in `value` that stand below a field of such a name. */
function collectMembersUnder(value: unknown, name: RegExp): unknown[] {
  if (Array.isArray(value)) return value.flatMap((each) => collectMembersUnder(each, name));
  return Object.entries(toFields(value) ?? {}).flatMap(([key, part]) => [
    ...(name.test(key) && Array.isArray(part) ? part : []),
    ...collectMembersUnder(part, name),
  ]);
}

/** All objects that stand in an array below a field of such a name. */
export function collectRecords(value: unknown, name: RegExp): Readonly<Record<string, unknown>>[] {
  return collectMembersUnder(value, name).filter((each) => toFields(each) !== undefined) as Record<
    string,
    unknown
  >[];
}

/** All texts that stand there by themselves; neither the file's name nor an address is an id. */
export function collectIds(value: unknown, name: RegExp, filename: string): string[] {
  const isId = (each: unknown) => isText(each) && each !== filename && !each.includes('://');
  return collectMembersUnder(value, name).filter(isId) as string[];
}

/** A value that holds no other. */
export interface Leaf {
  /** The field it stands in or, in an array, that of the array. */
  name: string;
  /** The way to it, with dots. */
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

/** The text nearest to the top in a field of this name, or else of the next. */
export function findText(value: unknown, ...names: string[]): string | undefined {
  const texts = collectLeaves(value).filter((leaf) => isText(leaf.value));
  const countDepth = ({ path }: Leaf) => path.split('.').length;
  const sorted = texts.toSorted((a, b) => countDepth(a) - countDepth(b));
  const found = names.flatMap((name) => sorted.find((leaf) => leaf.name === name) ?? [])[0];
  return found?.value as string | undefined;
}

/** Every text and number that stands anywhere in a body, as text. */
export function collectValues(body: unknown, found = new Set<string>()): Set<string> {
  if (body === null || typeof body !== 'object') found.add(String(body));
  else for (const each of Object.values(body)) collectValues(each, found);
  return found;
}

/** Shorter endings than this may be counted up, and what they are changed into may exist. */
const LEAST_TAIL = 8;
/** Not reached by counting, and below 2^31. */
const NEVER_COUNTED = '908172635';

/** An id that looks like this one, so that nothing but its absence can be wrong with it. */
export function createUnknownId(id: string): string {
  const tail = /[0-9a-z]+$/i.exec(id)?.[0].slice(-12) ?? '';
  const turned = [...tail].reverse().join('');
  if (/^\d+$/.test(id) && tail.length < LEAST_TAIL) return NEVER_COUNTED;
  if (tail.length < LEAST_TAIL || turned === tail) return `${id}${/\d$/.test(id) ? '' : '-'}${NEVER_COUNTED}`;
  return id.slice(0, id.length - tail.length) + turned;
}
