import { headerSecretRedactor, redactBody, redactUrl } from '../../../spec/redact.js';
import type { Exchange } from '../../../spec/vocabulary.js';
import { TOO_LARGE, type WireRequest } from '../../pipeline/wire.js';
import { fromBase64 } from '../base64.js';

/** A request as it is held against others. */
export interface Asked {
  method: string;
  /** Without the query. */
  path: string;
  /** With the query, keys redacted. */
  url: string;
  /** Undefined for none; bytes of forms and binary bodies as latin1 text, the form's own boundary named alike in all. */
  body: string | undefined;
  /** Size of a body that was left out of the recording. */
  left_out?: number | undefined;
}

export function pathOf(url: string): string {
  const mark = url.indexOf('?');
  return mark === -1 ? url : url.slice(0, mark);
}

/** What a recording says was asked. */
export function askedThen({ request }: Exchange): Asked {
  const { method, url, headers, body, body_base64, left_out } = request;
  const bytes = body_base64 === undefined ? undefined : latin1(fromBase64(body_base64));
  return {
    method,
    path: pathOf(url),
    url,
    // What was sent without a body and with an empty one is the same.
    body: bytes === undefined ? body || undefined : withoutBoundary(bytes, headers['content-type']),
    left_out,
  };
}

/** What is asked now. */
export function askedNow({ method, url, headers, body }: WireRequest): Asked {
  const redact = headerSecretRedactor(headers as Record<string, string>);
  const shown = redact(redactUrl(url));
  const asked = { method, path: pathOf(shown), url: shown };
  if (body === null || body.length === 0) return { ...asked, body: undefined };
  if (body === TOO_LARGE) return { ...asked, body: '(too large to be read)' };
  const type = headers['content-type'];
  if (type?.startsWith('multipart/')) {
    const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
    return { ...asked, body: withoutBoundary(redact(latin1(bytes)), type) };
  }
  const text = typeof body === 'string' ? body : utf8(body);
  return {
    ...asked,
    body: text === undefined ? redact(latin1(body as Uint8Array)) : redact(redactBody(text)),
  };
}

/** A form's boundary is made up by the client, another one each time. */
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

/** The JSON in a body; undefined where there is none. */
export function jsonOf(body: string | undefined): unknown {
  if (body === undefined || !/^\s*[[{]/.test(body)) return undefined;
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** True for a number (or date) that says when: seconds or ms of 2001 to 2286. */
function isTime(name: string, value: unknown): boolean {
  if (typeof value === 'number') return name === 'timestamp' || (value > 1e12 && value < 1e13);
  return typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(value);
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** True for a text that names something. */
export function isId(name: string, value: unknown): value is string {
  return typeof value === 'string' && value !== '' && (/(^|_)ids?$/i.test(name) || UUID.test(value));
}

/** The body with its times (and the ids that `isOwn` is true for) left out; another body than JSON as it is. */
export function masked(body: string | undefined, isOwn: (id: string) => boolean): string | undefined {
  const value = jsonOf(body);
  if (value === undefined) return body;
  return JSON.stringify(value, (name, each) => {
    if (isTime(name, each)) return '<time>';
    return isId(name, each) && isOwn(each) ? '<id>' : each;
  });
}
