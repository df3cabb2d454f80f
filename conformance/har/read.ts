import { readNetworkEffects } from '../../mock/journal/old-exchange.js';
import { hashOf } from '../../spec/hash.js';
import { REDACTED, redactHeaders } from '../../spec/redact.js';
import type { Exchange } from '../../spec/vocabulary.js';
import { asFields, type Fields, field, show } from '../conversation/json.js';

/** The exchange in an entry of a HAR, or what is wrong with the entry. `seq` is 0 where the entry has none. */
export function readEntry(entry: unknown): Exchange | string {
  const request = asFields(field(entry, 'request'));
  if (request === undefined) return `has no request: ${show(entry)} came`;
  const { method, url } = request;
  if (typeof method !== 'string' || typeof url !== 'string') return 'has a request without method and url';
  const times = timesOf(entry, asFields(field(entry, '_times')));
  if (times === undefined)
    return `has no time: its startedDateTime is ${show(field(entry, 'startedDateTime'))}`;
  const headers = headersOf(request.headers);
  const seq = field(entry, '_seq');
  const exchange: Exchange = {
    seq: Number.isSafeInteger(seq) ? (seq as number) : 0,
    kind: text(field(entry, '_kind')) ?? '',
    organisation: text(field(entry, '_organisation')) ?? organisationOf(headers),
    request: { method, url, headers: redactHeaders(headers), at: times.request },
  };
  const left_out = field(entry, '_left_out');
  const body = bodyOf(field(request, 'postData'), request.bodySize, field(left_out, 'request'));
  Object.assign(exchange.request, body);
  const own = (['operation', 'task', 'scenario'] as const).map((name) => [
    name,
    text(field(entry, `_${name}`)),
  ]);
  Object.assign(exchange, Object.fromEntries(own.filter(([, value]) => value !== undefined)));
  const network = readNetworkEffects(field(entry, '_network'));
  if (network) exchange.network = network;
  const notes = field(entry, '_notes');
  if (Array.isArray(notes)) exchange.notes = notes.filter((each) => typeof each === 'string');
  const response = asFields(field(entry, 'response'));
  const status = response?.status;
  if (response && typeof status === 'number' && status > 0) {
    exchange.response = {
      status,
      headers: redactHeaders(headersOf(response.headers)),
      body: '',
      ...bodyOf(response.content, response.bodySize, field(left_out, 'response')),
      at: times.response,
    };
  }
  return exchange;
}

/** ms. The answer is taken for read when the last of it had come. */
function timesOf(
  entry: unknown,
  exact: Fields | undefined,
): { request: number; response: number } | undefined {
  const began = text(field(entry, 'startedDateTime'));
  const request = typeof exact?.request === 'number' ? exact.request : Date.parse(began ?? '');
  if (!Number.isFinite(request)) return undefined;
  const time = field(entry, 'time');
  const took_ms = typeof time === 'number' && time > 0 ? time : 0;
  return { request, response: typeof exact?.response === 'number' ? exact.response : request + took_ms };
}

/** Names in lower case; what came twice is joined. */
function headersOf(pairs: unknown): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const pair of Array.isArray(pairs) ? pairs : []) {
    const [name, value] = [text(field(pair, 'name'))?.toLowerCase(), text(field(pair, 'value'))];
    // The names of HTTP/2 that stand for the first line.
    if (!name || value === undefined || name.startsWith(':')) continue;
    headers[name] = Object.hasOwn(headers, name) ? `${headers[name]}, ${value}` : value;
  }
  return headers;
}

/** Some programs leave bodies out: that there was one is then all that is known. */
function bodyOf(
  content: unknown,
  bodySize: unknown,
  left_out: unknown,
): { body?: string; left_out?: number } {
  const given = text(field(content, 'text'));
  const size = Math.max(...[field(content, 'size'), bodySize].filter((each) => typeof each === 'number'), 0);
  if (given === undefined || (given === '' && size > 0)) {
    const isForm = Array.isArray(field(content, 'params'));
    return size > 0 || isForm ? { body: `(${size} bytes left out)`, left_out: size } : {};
  }
  const body = field(content, 'encoding') === 'base64' ? decode(given) : given;
  return typeof left_out === 'number' ? { body, left_out } : { body };
}

function decode(base64: string): string {
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0)));
  } catch {
    return base64;
  }
}

/** Requests with the same key belong together, and nothing of the key is told. */
function organisationOf(headers: Readonly<Record<string, string>>): string {
  const key = headers['apikey'] ?? headers['cookie'];
  if (key === undefined) return 'nobody';
  return key.includes(REDACTED) ? 'somebody' : `key-${hashOf(key)}`;
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
