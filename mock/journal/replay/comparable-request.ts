import { headerSecretRedactor, redactBody, redactUrl } from '../../../spec/redact.js';
import type { Exchange } from '../../../spec/vocabulary.js';
import { TOO_LARGE, type WireRequest } from '../../pipeline/wire.js';
import { fromBase64 } from '../base64.js';

/** A request in the form in which a recorded one and a new one are compared. */
export interface ComparableRequest {
  method: string;
  /** Without the query. */
  path: string;
  /** With the query, keys redacted. */
  url: string;
  /** Undefined for none. Forms and binary bodies are latin1 text, with `<boundary>` for the boundary of a form. */
  body: string | undefined;
  /** Size in bytes of a body that was left out of the recording. */
  left_out?: number | undefined;
}

export function pathOf(url: string): string {
  const mark = url.indexOf('?');
  return mark === -1 ? url : url.slice(0, mark);
}

export function comparableOfExchange({ request }: Exchange): ComparableRequest {
  const { method, url, headers, body, body_base64, left_out } = request;
  const bytes = body_base64 === undefined ? undefined : latin1(fromBase64(body_base64));
  return {
    method,
    path: pathOf(url),
    url,
    // No body and an empty body are the same.
    body: bytes === undefined ? body || undefined : withoutBoundary(bytes, headers['content-type']),
    left_out,
  };
}

export function comparableOf({ method, url, headers, body }: WireRequest): ComparableRequest {
  const redact = headerSecretRedactor(headers as Record<string, string>);
  const shown = redact(redactUrl(url));
  const request = { method, path: pathOf(shown), url: shown };
  if (body === null || body.length === 0) return { ...request, body: undefined };
  if (body === TOO_LARGE) return { ...request, body: '(too large to be read)' };
  const type = headers['content-type'];
  if (type?.startsWith('multipart/')) {
    const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
    return { ...request, body: withoutBoundary(redact(latin1(bytes)), type) };
  }
  const text = typeof body === 'string' ? body : utf8(body);
  return {
    ...request,
    body: text === undefined ? redact(latin1(body as Uint8Array)) : redact(redactBody(text)),
  };
}

/** A client generates another boundary for each form. */
function withoutBoundary(body: string, type: string | undefined): string {
  const boundary = /boundary="?([^";]+)/i.exec(type ?? '')?.[1];
  return boundary === undefined ? body : body.replaceAll(boundary, '<boundary>');
}

export function latin1(bytes: Uint8Array): string {
  let text = '';
  for (let i = 0; i < bytes.length; i += 8192) text += String.fromCharCode(...bytes.subarray(i, i + 8192));
  return text;
}

/** The text of bytes that are UTF-8. */
export function utf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** The JSON object or array in a body, otherwise undefined. */
export function jsonOf(body: string | undefined): unknown {
  if (body === undefined || !/^\s*[[{]/.test(body)) return undefined;
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** Any `timestamp`, ms since 1970 from 2001 to 2286, or an ISO date. */
function isTime(name: string, value: unknown): boolean {
  if (typeof value === 'number') return name === 'timestamp' || (value > 1e12 && value < 1e13);
  return typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(value);
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A UUID, or a text in a field `id`, `…_id` or `…_ids`. */
export function isId(name: string, value: unknown): value is string {
  return typeof value === 'string' && value !== '' && (/(^|_)ids?$/i.test(name) || UUID.test(value));
}

/** A JSON body with placeholders for times and for the ids that `isOwn` accepts; any other body unchanged. */
export function maskBody(
  body: string | undefined,
  isOwn: (id: string) => boolean = () => false,
): string | undefined {
  const value = jsonOf(body);
  if (value === undefined) return body;
  return JSON.stringify(value, (name, each) => {
    if (isTime(name, each)) return '<time>';
    return isId(name, each) && isOwn(each) ? '<id>' : each;
  });
}

/** A JSON object or array. */
export function isTree(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object';
}
