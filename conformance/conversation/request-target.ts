import { route } from '../../mock/exchange/route.js';
import { type Operation, type OperationId, operations } from '../../spec/generated/operations.js';
import { API_PREFIX, type Exchange, NO_OPERATION } from '../../spec/vocabulary.js';

/** Data from method and URL of a request. Exchanges share it: do not change it. */
export interface RequestTarget {
  operation: Operation | undefined;
  /** Values of the path parameters by name, decoded. */
  path: ReadonlyMap<string, string>;
  query: URLSearchParams;
  /** Path and query parameters whose name marks them as ids, with their values. */
  ids: readonly (readonly [name: string, id: string])[];
  /**
   * The `event_t` of a poll. `text` is undefined if it is absent, `value` if it is no integer. An absent one has the value
   * 0, which means the same.
   */
  cursor: { text: string | undefined; value: number | undefined };
}

const MOST_RECENT = 1000;
let recent = new Map<string, RequestTarget>();

/**
 * Uses the operation that the exchange names, else method and URL; the URL may have any base. `operation` is undefined if
 * none fits.
 */
export function readRequestTarget({ kind, operation, request: { method, url } }: Exchange): RequestTarget {
  const named = kind === NO_OPERATION ? NO_OPERATION : (operation ?? '');
  const key = `${named} ${method} ${url}`;
  let target = recent.get(key);
  if (!target) {
    target = parseRequestTarget(named, method, url);
    if (recent.size >= MOST_RECENT) recent = new Map();
    recent.set(key, target);
  }
  return target;
}

function parseRequestTarget(named: string, method: string, url: string): RequestTarget {
  const query = new URLSearchParams(/\?([^#]*)/.exec(url)?.[1] ?? '');
  const text = query.get('event_t') ?? undefined;
  const isInteger = text !== undefined && /^-?\d+$/.test(text.trim());
  const value = text === undefined ? 0 : isInteger ? Number(text) : undefined;
  const target = readRoute(named, method, url);
  const ids = [...target.path, ...query].filter(([name]) => /^(.*_)?id$/.test(name));
  return { ...target, query, ids, cursor: { text, value } };
}

function readRoute(named: string, method: string, url: string): Pick<RequestTarget, 'operation' | 'path'> {
  const whole = `${url.replace(/[?#].*$/s, '')}/`.replace(/\/{2,}/g, '/');
  const below = whole.indexOf(`${API_PREFIX}/`);
  const routed =
    named === NO_OPERATION || below === -1 ? {} : route(method.toUpperCase(), whole.slice(below));
  const known = Object.hasOwn(operations, named) ? operations[named as OperationId] : undefined;
  if (!('operation' in routed) || (known && routed.operation.id !== known.id))
    return { operation: known, path: new Map() };
  const { operation, values } = routed;
  const names = operation.segments.flatMap((segment) => /^\{(.*)\}$/.exec(segment)?.[1] ?? []);
  return { operation, path: new Map(names.map((name, at) => [name, values[at]!])) };
}
