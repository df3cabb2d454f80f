import { field } from '../../../spec/json-fields.js';
import { asText, type OnContradiction } from './har-body.js';

interface Pair {
  name: string;
  value: string;
}

/** Address and `queryString`: programs may write parameters in either. */
export function urlOf(url: string, queryString: unknown, onContradiction: OnContradiction): string {
  const listed = pairsIn(queryString);
  if (listed.length === 0) return url;
  const [, address = '', query = '', hash = ''] = /^([^?#]*)(?:\?([^#]*))?(.*)$/s.exec(url) ?? [];
  const own = [...new URLSearchParams(query)].map(([name, value]) => ({ name, value }));
  const missing = listed.filter(
    ({ name }) => !own.some((each) => each.name === decode(name) || each.name === name),
  );
  if (own.length > 0 && !isSame(own, listed))
    onContradiction('"url" and "queryString" differ, and the address is taken');
  const added = missing.map(({ name, value }) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
  const all = [...(query === '' ? [] : [query]), ...added];
  return all.length === 0 ? url : `${address}?${all.join('&')}${hash}`;
}

/** Whether the parameters are the same in any order, decoded or not. */
function isSame(own: readonly Pair[], listed: readonly Pair[]): boolean {
  const lines = (pairs: readonly Pair[], read = (text: string) => text) =>
    pairs
      .map(({ name, value }) => JSON.stringify([read(name), read(value)]))
      .sort()
      .join();
  const expected = lines(own);
  return expected === lines(listed) || expected === lines(listed, decode);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

/** Names in lower case; values that came twice and differ are joined. */
export function headersOf(pairs: unknown): Record<string, string> {
  const headers: Record<string, string> = {};
  const values = new Map<string, Set<string>>();
  for (const { name: given, value } of pairsIn(pairs)) {
    const name = given.toLowerCase();
    // The names of HTTP/2 that stand for the first line.
    if (name === '' || name.startsWith(':')) continue;
    const known = values.get(name) ?? new Set();
    values.set(name, known.add(value));
    headers[name] = [...known].join(name === 'cookie' ? '; ' : ', ');
  }
  return headers;
}

/** The headers of a request, with those that the entry says in another place. `postData` is that of another program. */
export function requestHeadersOf(
  { headers: pairs, cookies, postData }: { headers?: unknown; cookies?: unknown; postData?: unknown },
  onContradiction: OnContradiction,
): Record<string, string> {
  const headers = headersOf(pairs);
  addMediaType(headers, field(postData, 'mimeType'), onContradiction);
  const own = new Map(
    (headers['cookie'] ?? '').split(/;\s*/).map((each): [string, string] => {
      const [, name = each, value = ''] = /^([^=]*)=(.*)$/s.exec(each) ?? [];
      return [name, value];
    }),
  );
  const listed = pairsIn(cookies).filter(({ name }) => name !== '');
  const isOther = ({ name, value }: Pair) =>
    own.has(name) && ![value, encodeURIComponent(value)].includes(own.get(name)!);
  if (listed.some(isOther))
    onContradiction('"cookies" and the header "cookie" differ, and the header is taken');
  const missing = listed.filter(({ name }) => !own.has(name)).map(({ name, value }) => `${name}=${value}`);
  const cookie = [headers['cookie'] ?? '', ...missing].filter((each) => each !== '').join('; ');
  return cookie === '' ? headers : { ...headers, cookie };
}

/** What programs write where they know no media type. */
const FILLERS = ['', 'x-unknown', 'application/octet-stream', 'text/plain'];

/** Adds the media type of the content to headers that have none. */
export function addMediaType(
  headers: Record<string, string>,
  mimeType: unknown,
  onContradiction: OnContradiction,
): void {
  const essence = (type: string) => type.split(';')[0]!.trim().toLowerCase();
  if (typeof mimeType !== 'string' || FILLERS.includes(essence(mimeType))) return;
  const own = headers['content-type'];
  if (own === undefined) headers['content-type'] = mimeType;
  else if (essence(own) !== essence(mimeType))
    onContradiction('"mimeType" and the header "content-type" differ, and the header is taken');
}

/** Reason phrases of the codes that the API has. */
const CODES_BY_TEXT: ReadonlyMap<string, number> = new Map([
  ['ok', 200],
  ['accepted', 202],
  ['no content', 204],
  ['bad request', 400],
  ['unauthorized', 401],
  ['forbidden', 403],
  ['not found', 404],
  ['conflict', 409],
  ['unprocessable entity', 422],
  ['unprocessable content', 422],
  ['too many requests', 429],
  ['internal server error', 500],
  ['bad gateway', 502],
  ['service unavailable', 503],
  ['gateway timeout', 504],
]);

/** The status of a response, which may be a text, or stand in `statusText` alone. Undefined for none. */
export function statusOf(response: unknown, onContradiction: OnContradiction): number | undefined {
  const given = Number(field(response, 'status'));
  const text = asText(field(response, 'statusText'))?.trim() ?? '';
  const inText = /^[1-5]\d\d\b/.test(text) ? Number(text.slice(0, 3)) : CODES_BY_TEXT.get(text.toLowerCase());
  const status = Number.isInteger(given) && given > 0 ? given : inText;
  // HTTP/2 has no reason phrase, and some programs write "OK" whatever the status is.
  if (inText !== undefined && inText !== 200 && status !== inText)
    onContradiction('"status" and "statusText" differ, and the status is taken');
  return status;
}

/** Times that differ by more are a contradiction, ms. */
const MOST_APART_MS = 100;

/** When an entry began and how long it took, ms; how exact that is. Undefined where it does not say when. */
export function timesOf(
  entry: unknown,
  onContradiction: OnContradiction,
): { at: number; took: number; resolution_ms: number } | undefined {
  const text = String(field(entry, 'startedDateTime'));
  const at = Date.parse(text);
  if (!Number.isFinite(at)) return undefined;
  const time = Number(field(entry, 'time') ?? -1);
  const parts = ['blocked', 'dns', 'connect', 'send', 'wait', 'receive'].map((name) =>
    Number(field(field(entry, 'timings'), name)),
  );
  const sum = parts.reduce((total, each) => (each > 0 ? total + each : total), 0);
  if (time > 0 && sum > 0 && Math.abs(time - sum) > MOST_APART_MS + time / 10)
    onContradiction('"time" and "timings" differ, and the longer is taken');
  const digits = /:\d\d\.(\d+)/.exec(text)?.[1]?.length ?? 0;
  const took = Math.round(Math.max(0, sum, Number.isFinite(time) ? time : 0));
  return { at, took, resolution_ms: 10 ** Math.max(0, 3 - digits) };
}

function pairsIn(pairs: unknown): Pair[] {
  return (Array.isArray(pairs) ? pairs : []).flatMap((pair): Pair[] => {
    const [name, value] = [asText(field(pair, 'name')), asText(field(pair, 'value'))];
    return name === undefined || value === undefined ? [] : [{ name, value }];
  });
}
