import { type Operation, type OperationId, operations } from '../../spec/generated/operations.js';
import { API_PREFIX, type Exchange } from '../../spec/vocabulary.js';

/** The operation of an exchange and the values of its path parameters by name, decoded. */
export interface Target {
  operation: Operation;
  path: ReadonlyMap<string, string>;
}

/** Those that were read last: the same addresses come again and again, to several readers and in run after run. */
const recent = new Map<string, Target | undefined>();
const MOST_RECENT = 1000;

/**
 * Reads them from what the exchange says of itself, else from method and address; the address may stand below any
 * base. Undefined when no operation fits.
 */
export function targetOf({ operation, request }: Exchange): Target | undefined {
  const key = `${operation} ${request.method} ${request.url}`;
  if (recent.has(key)) return recent.get(key);
  const target = readTarget(operation, request);
  if (recent.size >= MOST_RECENT) recent.clear();
  recent.set(key, target);
  return target;
}

function readTarget(operation: string | undefined, request: Exchange['request']): Target | undefined {
  const segments = segmentsBelowPrefix(request.url);
  const named = operation !== undefined && Object.hasOwn(operations, operation);
  const candidates = named ? [operations[operation as OperationId]] : Object.values(operations);
  // A literal segment is a better fit than a parameter: /task/zero is not a task.
  let best: Target | undefined;
  for (const candidate of candidates) {
    if (candidate.method !== request.method.toUpperCase()) continue;
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
