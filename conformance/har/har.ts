import { redactExchange } from '../../spec/redact.js';
import type { Exchange } from '../../spec/vocabulary.js';
import { asFields, field, show } from '../conversation/json.js';
import { readEntry } from './read.js';
import type { Har, HarEntry, HarPair } from './types.js';

export type { Har, HarEntry } from './types.js';

/** What a HAR is made with beside the exchanges. */
export interface HarOptions {
  /** Goes before the addresses that have no host: `{base_url}`. */
  base_url?: string;
  /** More to be kept out than what is told by its name: API keys. */
  secrets?: readonly string[];
  /** Of this package. */
  version?: string;
}

/** What is no HAR, or not one that can be read. */
export class NotHar extends Error {
  override readonly name = 'NotHar';
}

/** The exchanges in the order in which they began, as HAR 1.2. Keys, cookies and passwords are left out. */
export function toHar(exchanges: readonly Exchange[], options: HarOptions = {}): Har {
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

/**
 * The exchanges of a HAR, of whatever program it comes from. What it does not tell is made up: `seq` from the order, the
 * organisation from a fingerprint of the key. Throws NotHar for anything else.
 */
export function fromHar(har: unknown): Exchange[] {
  const parsed = typeof har === 'string' ? parse(har) : har;
  const log = field(parsed, 'log');
  if (asFields(log) === undefined) {
    throw new NotHar(`A HAR is an object with "log", and ${show(parsed)} came: export it as HAR 1.2.`);
  }
  const entries = field(log, 'entries');
  if (!Array.isArray(entries)) {
    throw new NotHar(`"log.entries" of a HAR is an array, and ${show(entries)} came: export it as HAR 1.2.`);
  }
  const exchanges = entries.map((entry: unknown, n) => {
    const read = readEntry(entry);
    if (typeof read === 'string') throw new NotHar(`"log.entries[${n}]" of the HAR ${read}.`);
    return read;
  });
  const isOurs = exchanges.every(({ seq }) => seq > 0);
  if (isOurs) return exchanges;
  // Programs write them down as they ended, or by page.
  exchanges.sort((one, other) => one.request.at - other.request.at);
  return exchanges.map((exchange, n) => ({ ...exchange, seq: n + 1 }));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (error) {
    throw new NotHar(`A HAR is JSON: ${error instanceof Error ? error.message : error}.`);
  }
}

function toEntry(exchange: Exchange, base: string): HarEntry {
  const { request, response } = exchange;
  const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(request.url) ? request.url : base + request.url;
  const took_ms = response ? Math.max(0, response.at - request.at) : -1;
  const type = header(request.headers, 'content-type') ?? 'application/json';
  const entry: HarEntry = {
    startedDateTime: isoOf(request.at),
    time: took_ms,
    request: {
      method: request.method,
      url,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: pairsOf(request.headers),
      queryString: queryOf(url),
      ...(request.body === undefined ? {} : { postData: { mimeType: type, text: request.body } }),
      headersSize: -1,
      bodySize: sizeOf(request.body ?? ''),
    },
    response: {
      status: response?.status ?? 0,
      statusText: '',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: pairsOf(response?.headers ?? {}),
      content: {
        size: sizeOf(response?.body ?? ''),
        mimeType: header(response?.headers ?? {}, 'content-type') ?? '',
        ...(response ? { text: response.body } : {}),
      },
      redirectURL: header(response?.headers ?? {}, 'location') ?? '',
      headersSize: -1,
      bodySize: response ? sizeOf(response.body) : -1,
    },
    cache: {},
    timings: { send: 0, wait: took_ms, receive: 0 },
    _seq: exchange.seq,
    _kind: exchange.kind,
    _organisation: exchange.organisation,
    _times: response ? { request: request.at, response: response.at } : { request: request.at },
  };
  const { operation, task, network, notes } = exchange;
  if (operation !== undefined) entry._operation = operation;
  if (task !== undefined) entry._task = task;
  if (exchange.scenario !== undefined) entry._scenario = exchange.scenario;
  if (network) entry._network = [...network];
  const left_out = { request: request.left_out, response: response?.left_out };
  if (left_out.request !== undefined || left_out.response !== undefined) entry._left_out = left_out;
  if (notes) entry._notes = [...notes];
  return entry;
}

/** Times out of the range of dates are kept beside it. */
function isoOf(at: number): string {
  return new Date(Math.abs(at) <= 8.64e15 ? at : 0).toISOString();
}

function sizeOf(text: string): number {
  return new TextEncoder().encode(text).length;
}

function pairsOf(headers: Readonly<Record<string, string>>): HarPair[] {
  return Object.entries(headers).map(([name, value]) => ({ name, value }));
}

function queryOf(url: string): HarPair[] {
  const mark = url.indexOf('?');
  if (mark === -1) return [];
  return [...new URLSearchParams(url.slice(mark + 1).replace(/#.*$/s, ''))].map(([name, value]) => ({
    name,
    value,
  }));
}

function header(headers: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.entries(headers).find(([given]) => given.toLowerCase() === name)?.[1];
}
