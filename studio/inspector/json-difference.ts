import type { Exchange } from '../../spec/vocabulary.js';
import { readExchange } from '../sequence/exchange-row.js';

interface ChangedValue {
  /** `output.temp_c`, `events[0].id`. */
  path: string;
  /** Undefined: absent. */
  before: unknown;
  after: unknown;
}

/** More are not listed. */
const MOST_CHANGES = 200;

/** The innermost values that differ, in the order of the fields. */
export function compareJson(before: unknown, after: unknown): ChangedValue[] {
  const changes: ChangedValue[] = [];
  const visit = (one: unknown, other: unknown, path: string): void => {
    if (Object.is(one, other) || changes.length >= MOST_CHANGES) return;
    if (!isContainer(one) || !isContainer(other) || Array.isArray(one) !== Array.isArray(other)) {
      changes.push({ path, before: one, after: other });
      return;
    }
    for (const key of new Set([...Object.keys(one), ...Object.keys(other)])) {
      const step = Array.isArray(one) ? `[${key}]` : path === '' ? key : `.${key}`;
      visit(readOwn(one, key), readOwn(other, key), path + step);
    }
  };
  visit(before, after, '');
  return changes;
}

type Container = Record<string, unknown>;

export function isContainer(value: unknown): value is Container {
  return typeof value === 'object' && value !== null;
}

function readOwn(value: Container, key: string): unknown {
  return Object.hasOwn(value, key) ? value[key] : undefined;
}

/** The exchange before this one that is comparable with it: the last one of its kind, for a reply the last one to its call. */
export function findPrevious(exchange: Exchange, all: readonly Exchange[]): Exchange | undefined {
  const isEarlier = (each: Exchange) => each.kind === exchange.kind && each.seq < exchange.seq;
  const id = readExchange(exchange).reply?.id;
  const isSame = (each: Exchange) => isEarlier(each) && readExchange(each).reply?.id === id;
  return (id === undefined ? undefined : all.findLast(isSame)) ?? all.findLast(isEarlier);
}

/** Of the request, and of the response: the names of its paths are those of the bodies. */
export function compareExchanges(before: Exchange, after: Exchange): ChangedValue[] {
  const status = (exchange: Exchange) => exchange.response?.status;
  const parse = (text: string | undefined): unknown => {
    try {
      return JSON.parse(text ?? 'null');
    } catch {
      return text;
    }
  };
  const isPoll = after.kind === 'poll';
  return [
    ...(status(before) === status(after)
      ? []
      : [{ path: 'the status', before: status(before), after: status(after) }]),
    ...(isPoll
      ? compareJson(parse(before.response?.body), parse(after.response?.body))
      : compareJson(parse(before.request.body), parse(after.request.body))),
  ].map((change) => ({ ...change, path: change.path.replace(/^(r|payload)\./, '') || 'the body' }));
}
