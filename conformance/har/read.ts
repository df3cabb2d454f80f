import { hashOf } from '../../spec/hash.js';
import { REDACTED, redactHeaders } from '../../spec/redact.js';
import type { Exchange } from '../../spec/vocabulary.js';
import { asFields, field, show } from '../conversation/json.js';

/** The exchange in an entry of a HAR, or what is wrong with the entry. `seq` is 0 where the entry has none. */
export function readEntry(entry: unknown): Exchange | string {
  const request = asFields(field(entry, 'request'));
  if (request === undefined) return `has no request: ${show(entry)} came`;
  const { method, url } = request;
  if (typeof method !== 'string' || typeof url !== 'string') return 'has a request without method and url';
  const headers = headersOf(request.headers);
  const { at, left_out, ...own } = asFields(field(entry, '_exchange')) ?? {};
  const times = timesOf(entry, at);
  if (times === undefined)
    return `has no time: its startedDateTime is ${show(field(entry, 'startedDateTime'))}`;
  const body = bodyOf(field(request, 'postData'), request.bodySize, field(left_out, 'request'));
  const exchange: Exchange = {
    ...{ seq: 0, kind: '', organisation: organisationOf(headers) },
    ...own,
    request: { method, url, headers: redactHeaders(headers), ...body, at: times.request },
  };
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

/** ms. The response is taken for read when the last of it had come. */
function timesOf(entry: unknown, exact: unknown): { request: number; response: number } | undefined {
  const [began, ended] = [field(exact, 'request'), field(exact, 'response')];
  const request = typeof began === 'number' ? began : Date.parse(String(field(entry, 'startedDateTime')));
  if (!Number.isFinite(request)) return undefined;
  const time = Math.max(0, Number(field(entry, 'time')) || 0);
  return { request, response: typeof ended === 'number' ? ended : request + time };
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
  const body = field(content, 'encoding') === 'base64' ? Buffer.from(given, 'base64').toString() : given;
  return typeof left_out === 'number' ? { body, left_out } : { body };
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
