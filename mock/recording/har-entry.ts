import { hashOf } from '../../spec/hash.js';
import { asFields, type Fields, field } from '../../spec/json-fields.js';
import { InvalidValue } from '../../spec/json-schema/violations.js';
import { headerSecretRedactor, REDACTED, redactBody, redactHeaders, redactUrl } from '../../spec/redact.js';
import { showJson } from '../../spec/show.js';
import { API_PREFIX, type Exchange, NO_OPERATION, requestKindOf } from '../../spec/vocabulary.js';
import { fromBase64 } from '../journal/base64.js';
import { readExchange } from '../journal/journal-file.js';
import { decodeUtf8 } from '../pipeline/read-body.js';
import { route } from '../pipeline/route.js';

type Message = Pick<Exchange['request'], 'body' | 'body_base64' | 'left_out'>;

/**
 * The exchange in an entry of a HAR, of whatever program, or what is wrong with the entry. Keys are redacted. `seq` is 0
 * where the entry has none.
 */
export function readEntry(entry: unknown): Exchange | string {
  const request = asFields(field(entry, 'request'));
  if (request === undefined) return `has no request: ${showJson(entry, 80)} came`;
  const { method, url } = request;
  if (typeof method !== 'string' || typeof url !== 'string') return 'has a request without method and url';
  const own = asFields(field(entry, '_exchange'));
  const times = timesOf(entry, own?.at);
  if (times === undefined)
    return `has no time: its startedDateTime is ${showJson(field(entry, 'startedDateTime'), 80)}`;
  const headers = headersOf(request.headers);
  const redact = headerSecretRedactor(headers);
  const body = readRequestBody(request, own, redact);
  const exchange: Exchange = {
    seq: 0,
    ...operationOf(method, url, body.body),
    organisation: organisationOf(headers),
    request: {
      method,
      url: redact(redactUrl(url)),
      headers: redactHeaders(headers, redact),
      ...body,
      at: times.request,
    },
  };
  const response = asFields(field(entry, 'response'));
  const status = response?.status;
  if (response && typeof status === 'number' && status > 0) {
    const isEmpty = status === 204 || status === 304;
    const { body: text = '', ...rest } = isEmpty ? ({} as Message) : readResponseBody(response, own);
    exchange.response = {
      status,
      headers: redactHeaders(headersOf(response.headers), redact),
      body: redact(text),
      ...rest,
      at: times.response,
    };
  }
  if (asText(field(entry, '_fromCache')) !== undefined)
    exchange.network = [{ effect: 'replaced', side: 'request', note: 'from the cache of the browser' }];
  return own ? withOwn(exchange, own) : exchange;
}

/** What taskdouble adds to the entries that it writes, where it is as it was written. */
function withOwn(exchange: Exchange, own: Fields): Exchange {
  const { at: _, left_out: __, request: ___, response: ____, ...about } = own;
  try {
    return readExchange({ ...exchange, ...about }, '_exchange');
  } catch (error) {
    if (error instanceof InvalidValue) return exchange;
    throw error;
  }
}

/** Where an address below any base leads to: `/base` of `/base/api/v1/task`, and what follows it. */
export function splitUrl(url: string): { base: string; path: string } | undefined {
  const at = url.search(/\/+api\/+v1\//);
  const end = url.search(/[?#]/);
  if (at === -1 || (end !== -1 && end < at)) return undefined;
  return { base: url.slice(0, at), path: url.slice(at).replace(/#.*$/s, '') };
}

function operationOf(method: string, url: string, body: string | undefined) {
  const path = splitUrl(url)
    ?.path.replace(/\?.*$/s, '')
    .replace(/^\/+api\/+v1/, API_PREFIX);
  const routed = path === undefined ? {} : route(method.toUpperCase(), path);
  if (!('operation' in routed)) return { kind: NO_OPERATION };
  const { id } = routed.operation;
  return { kind: requestKindOf(id, parsed(body)), operation: id };
}

function parsed(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
}

/** ms. The response is taken for read when the last of it had come. */
function timesOf(entry: unknown, exact: unknown): { request: number; response: number } | undefined {
  const [began, ended] = [field(exact, 'request'), field(exact, 'response')];
  const request = typeof began === 'number' ? began : Date.parse(String(field(entry, 'startedDateTime')));
  if (!Number.isFinite(request)) return undefined;
  const time = Number(field(entry, 'time'));
  const took = Number.isFinite(time) ? Math.max(0, Math.round(time)) : 0;
  return { request, response: typeof ended === 'number' ? ended : request + took };
}

/** Names in lower case; what came twice is joined. */
function headersOf(pairs: unknown): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const pair of Array.isArray(pairs) ? pairs : []) {
    const [name, value] = [asText(field(pair, 'name'))?.toLowerCase(), asText(field(pair, 'value'))];
    // The names of HTTP/2 that stand for the first line.
    if (!name || value === undefined || name.startsWith(':')) continue;
    headers[name] = Object.hasOwn(headers, name) ? `${headers[name]}, ${value}` : value;
  }
  return headers;
}

function readRequestBody(request: Fields, own: unknown, redact: (text: string) => string): Message {
  const { postData } = request;
  const form = field(postData, 'params');
  const hasForm = Array.isArray(form) && form.length > 0;
  if (asText(field(postData, 'text')) === undefined && hasForm) return leftOut(sizesOf(request.bodySize));
  const body = readBody(postData, sizesOf(request.bodySize), field(own, 'left_out'), 'request');
  return body.body === undefined ? body : { ...body, body: redact(redactBody(body.body)) };
}

function readResponseBody(response: Fields, own: unknown): Message {
  const { content, bodySize, headers } = response;
  const length = Number(headersOf(headers)['content-length'] ?? 0);
  const sizes = sizesOf(field(content, 'size'), bodySize, length);
  const isUnknown = field(content, 'size') === undefined || Number(field(content, 'size')) < 0;
  // A HAR without contents: that there was a body is all that is known.
  if (asText(field(content, 'text')) === undefined && (isUnknown || isElsewhere(content)))
    return leftOut(sizes);
  return readBody(content, sizes, field(own, 'left_out'), 'response');
}

/** Playwright can put bodies into files beside the HAR. */
function isElsewhere(content: unknown): boolean {
  return field(content, '_file') !== undefined;
}

/** Some programs leave bodies out, or cut them. */
function readBody(
  content: unknown,
  size: number,
  ownLeftOut: unknown,
  side: 'request' | 'response',
): Message {
  const text = asText(field(content, 'text'));
  if (text === undefined || (text === '' && size > 0)) return size > 0 ? leftOut(size) : {};
  const exact = field(ownLeftOut, side);
  if (typeof exact === 'number') return { body: text, left_out: exact };
  if (field(content, 'encoding') !== 'base64') return whole(text, field(content, 'size'));
  const bytes = decode(text);
  if (bytes === undefined) return leftOut(size);
  const decoded = decodeUtf8(bytes);
  if (decoded === undefined) return { body: `(${bytes.length} bytes)`, body_base64: text };
  return whole(decoded, field(content, 'size'));
}

/** A text that is shorter than its size says, and no JSON, was cut. */
function whole(body: string, size: unknown): Message {
  if (typeof size !== 'number' || body.length >= size || parsed(body) !== undefined) return { body };
  const missing = size - new TextEncoder().encode(body).length;
  return missing > 0 ? { body, left_out: missing } : { body };
}

function leftOut(size: number): Message {
  return { body: `(${size} bytes left out)`, left_out: size };
}

function sizesOf(...sizes: unknown[]): number {
  return Math.max(0, ...sizes.filter((each): each is number => Number.isFinite(each)));
}

function decode(base64: string): Uint8Array | undefined {
  try {
    return fromBase64(base64);
  } catch {
    return undefined;
  }
}

/** Requests with the same key belong together, and nothing of the key is told. */
function organisationOf(headers: Readonly<Record<string, string>>): string {
  const key = headers['apikey'] ?? headers['cookie'];
  if (key === undefined) return 'nobody';
  return key.includes(REDACTED) ? 'somebody' : `key-${hashOf(key)}`;
}

function asText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
