import type { Operation } from '../../../spec/generated/operations.js';
import { hashText } from '../../../spec/hash.js';
import { type Fields, readField, readJson, toFields } from '../../../spec/json.js';
import { InvalidValue } from '../../../spec/json-schema/violations.js';
import {
  createHeaderRedactor,
  REDACTED,
  redactBody,
  redactHeaders,
  redactUrl,
} from '../../../spec/redact.js';
import { showJson } from '../../../spec/show.js';
import {
  API_PREFIX,
  classifyRequest,
  type Exchange,
  NO_OPERATION,
  type UnrecordedPart,
} from '../../../spec/vocabulary.js';
import { readExchange } from '../journal-file.js';
import { route } from '../route.js';
import { asText, readRequestBody, readResponseBody } from './har-body.js';
import {
  addMediaType,
  readHeaders,
  readRequestHeaders,
  readStatus,
  readTimes,
  readUrl,
} from './har-fields.js';

/** An entry as an exchange, and its contradictions as sentences without a subject. */
export interface HarExchange {
  exchange: Exchange;
  contradictions: string[];
}

/**
 * The exchange in an entry of a HAR of any program, or the problem with the entry. Keys are redacted. `seq` is 0 if the entry has none. If
 * an entry states a fact in two places, their union is used.
 */
export function readEntry(entry: unknown): HarExchange | string {
  const given = toFields(readField(entry, 'request'));
  if (given === undefined) return `has no request: found ${showJson(entry, 80)}`;
  if (typeof given.method !== 'string' || typeof given.url !== 'string')
    return 'has a request without method and url';
  const own = toFields(readField(entry, '_exchange'));
  const contradictions: string[] = [];
  // Own entries derive their duplicates, so they cannot contradict.
  const add = (what: string) => own === undefined && contradictions.push(what);
  const times = readTimes(entry, add);
  if (times === undefined)
    return `has no time: its startedDateTime is ${showJson(readField(entry, 'startedDateTime'), 80)}`;
  const method = given.method.toUpperCase();
  const url = readUrl(given.url, given.queryString, add);
  const headers = own ? readHeaders(given.headers) : readRequestHeaders(given, add);
  const redact = createHeaderRedactor(headers);
  const operation = findOperation(method, url);
  const ownLeftOut = readField(own, 'left_out');
  const { postData: content, bodySize } = given;
  const message = { content, headers, bodySize, ownLeftOut: readField(ownLeftOut, 'request') };
  const body = readRequestBody(message, operation?.body !== undefined && !own, add);
  if (body.body !== undefined) body.body = redact(redactBody(body.body));
  const exact = readField(own, 'at');
  const began = readField(exact, 'request');
  const exchange: Exchange = {
    seq: 0,
    kind: operation ? classifyRequest(operation.id, readJson(body.body ?? '')) : NO_OPERATION,
    ...(operation && { operation: operation.id }),
    organisation: nameOrganisation(headers),
    request: {
      method,
      url: redact(redactUrl(url)),
      headers: redactHeaders(headers, redact),
      ...body,
      at: typeof began === 'number' ? began : times.at,
    },
  };
  const response = readField(entry, 'response');
  const status = readStatus(response, add);
  const ended = readField(exact, 'response');
  const at = typeof ended === 'number' ? ended : exchange.request.at + times.duration_ms;
  if (status !== undefined) exchange.response = readResponse(toFields(response) ?? {}, status);
  if (asText(readField(entry, '_fromCache')) !== undefined)
    exchange.network = [{ effect: 'replaced', side: 'request', note: 'from the cache of the browser' }];
  if (own) return { exchange: addOwnFields(exchange, own), contradictions };
  if (times.resolution_ms > 1) exchange.resolution_ms = times.resolution_ms;
  const unrecorded: UnrecordedPart[] = [];
  if (status === undefined && !hasFailed(entry)) unrecorded.push('response');
  if (isEmpty(headers) || (exchange.response && isEmpty(exchange.response.headers)))
    unrecorded.push('headers');
  if (unrecorded.length > 0) exchange.unrecorded = unrecorded;
  return { exchange, contradictions };

  function readResponse(fields: Fields, status: number): NonNullable<Exchange['response']> {
    const headers = readHeaders(fields.headers);
    if (!own) addMediaType(headers, readField(fields.content, 'mimeType'), add);
    const { content, bodySize } = fields;
    const message = { content, headers, bodySize, ownLeftOut: readField(ownLeftOut, 'response') };
    const hasNone = method === 'HEAD' || status === 204 || status === 304;
    const { body: text = '', ...rest } = readResponseBody(message, hasNone);
    return { status, headers: redactHeaders(headers, redact), body: redact(text), ...rest, at };
  }
}

function isEmpty(headers: Readonly<Record<string, string>>): boolean {
  return Object.keys(headers).length === 0;
}

/** True if the program recorded a failed request, so that the client got no response. */
function hasFailed(entry: unknown): boolean {
  const response = readField(entry, 'response');
  const reasons = [
    readField(response, '_error'),
    readField(response, '_failureText'),
    readField(entry, '_error'),
  ];
  return reasons.some((reason) => typeof reason === 'string' && reason !== '');
}

/** Adds the fields that taskdouble writes into its own entries, if they are unchanged. */
function addOwnFields(exchange: Exchange, own: Fields): Exchange {
  const { at: _, left_out: __, encoding_fault: faults, request: ___, response: ____, ...about } = own;
  const { request, response } = exchange;
  const addFault = <T extends object>(message: T, fault: unknown): T =>
    fault === undefined ? message : { ...message, encoding_fault: fault };
  const whole = {
    ...exchange,
    ...about,
    request: addFault(request, readField(faults, 'request')),
    ...(response && { response: addFault(response, readField(faults, 'response')) }),
  };
  try {
    return readExchange(whole, '_exchange');
  } catch (error) {
    if (error instanceof InvalidValue) return exchange;
    throw error;
  }
}

/** Splits an address below any base: `/base` of `/base/api/v1/task`, and the rest. */
export function splitUrl(url: string): { base: string; path: string } | undefined {
  const at = url.search(/\/+api\/+v1\//);
  const end = url.search(/[?#]/);
  if (at === -1 || (end !== -1 && end < at)) return undefined;
  return { base: url.slice(0, at), path: url.slice(at).replace(/#.*$/s, '') };
}

function findOperation(method: string, url: string): Operation | undefined {
  const path = splitUrl(url)
    ?.path.replace(/\?.*$/s, '')
    .replace(/^\/+api\/+v1/, API_PREFIX);
  const routed = path === undefined ? {} : route(method, path);
  return 'operation' in routed ? routed.operation : undefined;
}

/** Requests with the same key get the same organisation; the name does not reveal the key. */
function nameOrganisation(headers: Readonly<Record<string, string>>): string {
  const cookie = headers['cookie'];
  const key = headers['apikey'] ?? /(?:^|;\s*)apikey=([^;]*)/.exec(cookie ?? '')?.[1] ?? cookie;
  if (key === undefined) return 'nobody';
  return key.includes(REDACTED) ? 'somebody' : `key-${hashText(key)}`;
}
