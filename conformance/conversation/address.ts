import { type Operation, type OperationId, operations } from '../../spec/generated/operations.js';
import { API_PREFIX, type Exchange, NO_OPERATION } from '../../spec/vocabulary.js';
import { RecentCache } from './recent-cache.js';

/** The operation of an exchange and the values of its path parameters by name, decoded. */
export interface AddressTarget {
  operation: Operation;
  path: ReadonlyMap<string, string>;
}

/** The `event_t` of a poll. */
export interface Cursor {
  /** Undefined when there is none. */
  text: string | undefined;
  /** 0 when there is none, which means the same; undefined when it is not an integer. */
  value: number | undefined;
}

/** What an address says, read once for all exchanges that have it. */
export class Address {
  readonly target: AddressTarget | undefined;
  #query: URLSearchParams | undefined;
  #cursor: Cursor | undefined;
  #place: string | undefined;
  #parameters: readonly (readonly [name: string, value: string])[] | undefined;

  constructor(
    readonly method: string,
    /** As the exchange says of itself; null: none. */
    readonly operation: string | null | undefined,
    private readonly url: string,
  ) {
    this.target = operation === null ? undefined : readTarget(operation, method, url);
  }

  get query(): URLSearchParams {
    if (!this.#query) {
      const mark = this.url.indexOf('?');
      this.#query = new URLSearchParams(mark === -1 ? '' : this.url.slice(mark + 1).replace(/#.*$/s, ''));
    }
    return this.#query;
  }

  /** `POST http://…/event`: the operation's method, and the address without what comes after the path. */
  get place(): string {
    this.#place ??= `${this.target?.operation.method} ${this.url.replace(/[?#].*$/s, '')}`;
    return this.#place;
  }

  get cursor(): Cursor {
    if (!this.#cursor) {
      const text = this.query.get('event_t') ?? undefined;
      const isInteger = text !== undefined && /^-?\d+$/.test(text.trim());
      this.#cursor = { text, value: text === undefined ? 0 : isInteger ? Number(text) : undefined };
    }
    return this.#cursor;
  }

  /** Those of the query, in their order. */
  get parameters(): readonly (readonly [name: string, value: string])[] {
    this.#parameters ??= [...this.query];
    return this.#parameters;
  }
}

/** By URL alone, so that nothing has to be put together to look one up. */
const recent = new RecentCache<readonly Address[]>(500);
/** One for each method, as a rule. */
const MOST_OF_ONE_URL = 8;

/** The address of the exchange, which may be shared: nobody changes it. */
export function addressOf({ kind, operation: named, request: { method, url } }: Exchange): Address {
  const operation = kind === NO_OPERATION ? null : named;
  const there = recent.get(url) ?? [];
  const found = there.find((each) => each.method === method && each.operation === operation);
  if (found) return found;
  const address = new Address(method, operation, url);
  recent.set(url, there.length < MOST_OF_ONE_URL ? [...there, address] : [address]);
  return address;
}

/**
 * Reads them from what the exchange says of itself, else from method and address; the address may stand below any
 * base. Undefined when no operation fits.
 */
export function targetOf(exchange: Exchange): AddressTarget | undefined {
  return addressOf(exchange).target;
}

function readTarget(operation: string | undefined, method: string, url: string): AddressTarget | undefined {
  const segments = segmentsBelowPrefix(url);
  const named = operation !== undefined && Object.hasOwn(operations, operation);
  const candidates = named ? [operations[operation as OperationId]] : Object.values(operations);
  // A literal segment is a better fit than a parameter: /task/zero is not a task.
  let best: AddressTarget | undefined;
  for (const candidate of candidates) {
    if (candidate.method !== method.toUpperCase()) continue;
    const path = segments && matchPath(candidate, segments);
    if (path && (best === undefined || path.size < best.path.size)) best = { operation: candidate, path };
  }
  return best ?? (named ? { operation: candidates[0]!, path: new Map() } : undefined);
}

function segmentsBelowPrefix(url: string): string[] | undefined {
  const path = url.replace(/[?#].*$/s, '').replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, '');
  const parts = `${path.replace(/\/{2,}/g, '/')}/`;
  const at = parts.indexOf(`${API_PREFIX}/`);
  if (at === -1) return undefined;
  const below = parts.slice(at + API_PREFIX.length);
  return below.split('/').filter((segment) => segment !== '');
}

function matchPath({ segments }: Operation, given: string[]): Map<string, string> | undefined {
  if (segments.length !== given.length) return undefined;
  const path = new Map<string, string>();
  for (const [i, segment] of segments.entries()) {
    if (segment.startsWith('{')) path.set(segment.slice(1, -1), decode(given[i]!));
    else if (segment !== given[i]) return undefined;
  }
  return path;
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
