import { type Operation, type OperationId, operations } from '../../spec/generated/operations.js';
import { API_PREFIX, type Exchange, NO_OPERATION } from '../../spec/vocabulary.js';

/** What method and URL of a request say. Shared by all exchanges with the same: do not change it. */
export interface Address {
  operation: Operation | undefined;
  /** Values of the path parameters by name, decoded. */
  path: ReadonlyMap<string, string>;
  query: URLSearchParams;
  /**
   * The `event_t` of a poll. `text` is undefined when there is none, `value` when it is not an integer; without one the value
   * is 0, which means the same.
   */
  cursor: { text: string | undefined; value: number | undefined };
}

type Target = Pick<Address, 'path'> & { operation: Operation };

/** Addresses kept, at most. */
const MOST_RECENT = 1000;
let recent = new Map<string, Address>();

/**
 * Reads it from the operation that the exchange names, else from method and URL; the URL may stand below any base. Without
 * an operation where none fits.
 */
export function addressOf({ kind, operation, request: { method, url } }: Exchange): Address {
  const named = kind === NO_OPERATION ? NO_OPERATION : (operation ?? '');
  const key = `${named} ${method} ${url}`;
  let address = recent.get(key);
  if (!address) {
    address = readAddress(named, method, url);
    if (recent.size >= MOST_RECENT) recent = new Map();
    recent.set(key, address);
  }
  return address;
}

function readAddress(named: string, method: string, url: string): Address {
  const { operation, path } = (named !== NO_OPERATION && targetOf(named, method, url)) || {
    operation: undefined,
    path: new Map<string, string>(),
  };
  const query = new URLSearchParams(/\?([^#]*)/.exec(url)?.[1] ?? '');
  const text = query.get('event_t') ?? undefined;
  const isInteger = text !== undefined && /^-?\d+$/.test(text.trim());
  const value = text === undefined ? 0 : isInteger ? Number(text) : undefined;
  return { operation, path, query, cursor: { text, value } };
}

function targetOf(named: string, method: string, url: string): Target | undefined {
  const given = segmentsBelowPrefix(url);
  const known = Object.hasOwn(operations, named) ? operations[named as OperationId] : undefined;
  let best: Target | undefined;
  for (const operation of known ? [known] : Object.values<Operation>(operations)) {
    if (operation.method !== method.toUpperCase()) continue;
    const path = given && matchPath(operation, given);
    // A literal segment is a better fit than a parameter: /task/zero is not a task.
    if (path && (best === undefined || path.size < best.path.size)) best = { operation, path };
  }
  return best ?? (known && { operation: known, path: new Map() });
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
