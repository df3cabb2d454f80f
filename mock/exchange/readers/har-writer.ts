import { redactExchange } from '../../../spec/redact.js';
import type { Exchange } from '../../../spec/vocabulary.js';
import type { NameValuePair } from './har-fields.js';

/** HAR 1.2, limited to the fields in use. */
export type Har = ReturnType<typeof toHar>;
export type HarEntry = Har['log']['entries'][number];

export interface HarOptions {
  /** Prefix for addresses without a host: `{base_url}`. */
  base_url?: string;
  /** API keys to redact, in addition to those found by their names. */
  secrets?: readonly string[];
  version?: string;
}

/** The exchanges in the order in which they began, as HAR 1.2. Keys, cookies and passwords are redacted. */
export function toHar(exchanges: readonly Exchange[], options: HarOptions = {}) {
  const { base_url = 'http://localhost', secrets = [], version = '' } = options;
  const base = base_url.replace(/(?:\/api(?:\/v1)?)?\/*$/, '');
  return {
    log: {
      version: '1.2',
      creator: { name: 'taskdouble', version },
      entries: exchanges.map((exchange) => toEntry(redactExchange(exchange, secrets), base)),
    },
  };
}

/** `_exchange` is a custom field, which HAR allows: facts that no other field has, and times more precise than the format's. */
function toEntry(exchange: Exchange, base: string) {
  const { request, response, ...own } = exchange;
  const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(request.url) ? request.url : base + request.url;
  const duration_ms = response ? Math.max(0, response.at - request.at) : -1;
  const mimeType = findHeader(request.headers, 'content-type') ?? '';
  return {
    startedDateTime: formatIsoTime(request.at),
    time: duration_ms,
    request: {
      method: request.method,
      url,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: toPairs(request.headers),
      queryString: parseQuery(url),
      ...(request.body === undefined ? {} : { postData: { mimeType, text: request.body } }),
      headersSize: -1,
      bodySize: countBytes(request.body ?? ''),
    },
    // The status is 0 without a response.
    response: {
      status: response?.status ?? 0,
      statusText: '',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: toPairs(response?.headers ?? {}),
      content: {
        size: countBytes(response?.body ?? ''),
        mimeType: findHeader(response?.headers ?? {}, 'content-type') ?? '',
        ...(response ? { text: response.body } : {}),
      },
      redirectURL: findHeader(response?.headers ?? {}, 'location') ?? '',
      headersSize: -1,
      bodySize: response ? countBytes(response.body) : -1,
    },
    cache: {},
    timings: { send: 0, wait: duration_ms, receive: 0 },
    _exchange: {
      ...own,
      at: { request: request.at, response: response?.at },
      left_out: { request: request.left_out, response: response?.left_out },
      encoding_fault: { request: request.encoding_fault, response: response?.encoding_fault },
    },
  };
}

/** Times out of the range of dates are only in `_exchange`. */
function formatIsoTime(at: number): string {
  return new Date(Math.abs(at) <= 8.64e15 ? at : 0).toISOString();
}

function countBytes(text: string): number {
  return new TextEncoder().encode(text).length;
}

function toPairs(headers: Readonly<Record<string, string>>): NameValuePair[] {
  return Object.entries(headers).map(([name, value]) => ({ name, value }));
}

function parseQuery(url: string): NameValuePair[] {
  return [...new URLSearchParams(/\?([^#]*)/.exec(url)?.[1])].map(([name, value]) => ({ name, value }));
}

function findHeader(headers: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.entries(headers).find(([given]) => given.toLowerCase() === name)?.[1];
}
