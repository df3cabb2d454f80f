import { API_PREFIX, type Exchange } from '../../spec/vocabulary.js';
import { route } from '../exchange/route.js';

/**
 * Normalizes the address of a request: escapes, slashes, the order of parameters with different names, and parameters with their default
 * value. `toRecorded` replaces ids.
 */
export function normalizeAddress(
  { method: given, url }: Pick<Exchange['request'], 'method' | 'url'>,
  toRecorded: (id: string) => string = (id) => id,
): string {
  const method = given.toUpperCase();
  const [, path = '', query = ''] = /^([^?#]*)(?:\?([^#]*))?/s.exec(url) ?? [];
  const segments = path
    .replace(/\/{2,}/g, '/')
    .replace(/\/$/, '')
    .split('/');
  const same = segments.map((segment) => encodeURIComponent(toRecorded(decode(segment)))).join('/');
  const defaults = readDefaults(method, path);
  const parameters = [...new URLSearchParams(query)]
    .filter(([name, value]) => defaults.get(name) !== value)
    .map(([name, value]) => [name, toRecorded(value)]);
  parameters.sort(([one], [other]) => (one! < other! ? -1 : one! > other! ? 1 : 0));
  return `${method} ${same}?${new URLSearchParams(parameters as string[][])}`;
}

/** Defaults of query parameters, as texts. */
function readDefaults(method: string, path: string): ReadonlyMap<string, string> {
  const routed = route(method, path.replace(/^\/+api\/+v1/, API_PREFIX));
  const params = 'operation' in routed ? routed.operation.params : [];
  return new Map(
    params.flatMap(({ in: place, name, default: value }): [string, string][] =>
      place === 'query' && value !== undefined ? [[name, String(value)]] : [],
    ),
  );
}

/** Text with an invalid percent-encoding is returned unchanged. */
export function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
