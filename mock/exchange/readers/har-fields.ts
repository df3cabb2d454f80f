import { readField } from '../../../spec/json.js';
import { asText, type OnContradiction } from './har-body.js';

export interface NameValuePair {
  name: string;
  value: string;
}

/** Merges the address and `queryString`: programs may write parameters in either. */
export function readUrl(url: string, queryString: unknown, onContradiction: OnContradiction): string {
  const listed = readPairs(queryString);
  if (listed.length === 0) return url;
  const [, address = '', query = '', hash = ''] = /^([^?#]*)(?:\?([^#]*))?(.*)$/s.exec(url) ?? [];
  const own = [...new URLSearchParams(query)].map(([name, value]) => ({ name, value }));
  const missing = listed.filter(
    ({ name }) => !own.some((each) => each.name === decode(name) || each.name === name),
  );
  if (own.length > 0 && !isSame(own, listed))
    onContradiction('"url" and "queryString" differ; the address is used');
  const added = missing.map(({ name, value }) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
  const all = [...(query === '' ? [] : [query]), ...added];
  return all.length === 0 ? url : `${address}?${all.join('&')}${hash}`;
}

/** True if the parameters are the same in any order, decoded or not. */
function isSame(own: readonly NameValuePair[], listed: readonly NameValuePair[]): boolean {
  const formatLines = (pairs: readonly NameValuePair[], read = (text: string) => text) =>
    pairs
      .map(({ name, value }) => JSON.stringify([read(name), read(value)]))
      .sort()
      .join();
  const expected = formatLines(own);
  return expected === formatLines(listed) || expected === formatLines(listed, decode);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

/** Names in lower case; different values of one name are joined. */
export function readHeaders(pairs: unknown): Record<string, string> {
  const headers: Record<string, string> = {};
  const values = new Map<string, Set<string>>();
  for (const { name: given, value } of readPairs(pairs)) {
    const name = given.toLowerCase();
    // Pseudo-headers of HTTP/2.
    if (name === '' || name.startsWith(':')) continue;
    const known = values.get(name) ?? new Set();
    values.set(name, known.add(value));
    headers[name] = [...known].join(name === 'cookie' ? '; ' : ', ');
  }
  return headers;
}

/** The headers of a request, including those that the entry has in other places. `postData`: only of other programs. */
export function readRequestHeaders(
  { headers: pairs, cookies, postData }: { headers?: unknown; cookies?: unknown; postData?: unknown },
  onContradiction: OnContradiction,
): Record<string, string> {
  const headers = readHeaders(pairs);
  addMediaType(headers, readField(postData, 'mimeType'), onContradiction);
  const own = new Map(
    (headers['cookie'] ?? '').split(/;\s*/).map((each): [string, string] => {
      const [, name = each, value = ''] = /^([^=]*)=(.*)$/s.exec(each) ?? [];
      return [name, value];
    }),
  );
  const listed = readPairs(cookies).filter(({ name }) => name !== '');
  const isOther = ({ name, value }: NameValuePair) =>
    own.has(name) && ![value, encodeURIComponent(value)].includes(own.get(name)!);
  if (listed.some(isOther)) onContradiction('"cookies" and the header "cookie" differ; the header is used');
  const missing = listed.filter(({ name }) => !own.has(name)).map(({ name, value }) => `${name}=${value}`);
  const cookie = [headers['cookie'] ?? '', ...missing].filter((each) => each !== '').join('; ');
  return cookie === '' ? headers : { ...headers, cookie };
}

/** Values that programs write for an unknown media type. */
const FILLERS = ['', 'x-unknown', 'application/octet-stream', 'text/plain'];

/** Adds the media type of the content if the headers have none. */
export function addMediaType(
  headers: Record<string, string>,
  mimeType: unknown,
  onContradiction: OnContradiction,
): void {
  const readEssence = (type: string) => type.split(';')[0]!.trim().toLowerCase();
  if (typeof mimeType !== 'string' || FILLERS.includes(readEssence(mimeType))) return;
  const own = headers['content-type'];
  if (own === undefined) headers['content-type'] = mimeType;
  else if (readEssence(own) !== readEssence(mimeType))
    onContradiction('"mimeType" and the header "content-type" differ; the header is used');
}

/** Status codes of the API by reason phrase. */
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

/** The status of a response, which may be a text, or only in `statusText`. Undefined if there is none. */
export function readStatus(response: unknown, onContradiction: OnContradiction): number | undefined {
  const given = Number(readField(response, 'status'));
  const text = asText(readField(response, 'statusText'))?.trim() ?? '';
  const inText = /^[1-5]\d\d\b/.test(text) ? Number(text.slice(0, 3)) : CODES_BY_TEXT.get(text.toLowerCase());
  const status = Number.isInteger(given) && given > 0 ? given : inText;
  // HTTP/2 has no reason phrase, and some programs write "OK" for any status.
  if (inText !== undefined && inText !== 200 && status !== inText)
    onContradiction('"status" and "statusText" differ; the status is used');
  return status;
}

/** Times that differ by more are a contradiction, ms. */
const MOST_APART_MS = 100;

/** The start and the duration of an entry, ms, and their precision. Undefined without a start. */
export function readTimes(
  entry: unknown,
  onContradiction: OnContradiction,
): { at: number; duration_ms: number; resolution_ms: number } | undefined {
  const text = String(readField(entry, 'startedDateTime'));
  const at = Date.parse(text);
  if (!Number.isFinite(at)) return undefined;
  const time = Number(readField(entry, 'time') ?? -1);
  const parts = ['blocked', 'dns', 'connect', 'send', 'wait', 'receive'].map((name) =>
    Number(readField(readField(entry, 'timings'), name)),
  );
  const sum = parts.reduce((total, each) => (each > 0 ? total + each : total), 0);
  if (time > 0 && sum > 0 && Math.abs(time - sum) > MOST_APART_MS + time / 10)
    onContradiction('"time" and "timings" differ; the longer is used');
  const digits = /:\d\d\.(\d+)/.exec(text)?.[1]?.length ?? 0;
  const duration_ms = Math.round(Math.max(0, sum, Number.isFinite(time) ? time : 0));
  return { at, duration_ms, resolution_ms: 10 ** Math.max(0, 3 - digits) };
}

function readPairs(pairs: unknown): NameValuePair[] {
  return (Array.isArray(pairs) ? pairs : []).flatMap((pair): NameValuePair[] => {
    const [name, value] = [asText(readField(pair, 'name')), asText(readField(pair, 'value'))];
    return name === undefined || value === undefined ? [] : [{ name, value }];
  });
}
