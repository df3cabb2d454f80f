import { type MaybePromise, TOO_LARGE, type WireRequest, type WireResponse } from '../exchange/wire.js';
import { createLightResponse, createTruncatedResponse, isLight } from './light-response.js';
import type { BodyLimit, Handle } from './listeners.js';

export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;
/** The default content type of a text body. */
const TEXT = 'text/plain;charset=UTF-8';

/**
 * The transport for callers of `fetch`: in process, in a worker, in a browser. Creates no Request for an address with an init. Rejects with
 * a TypeError if the network lost the exchange, as `fetch` does, and with the signal's reason if the call is aborted. `isQuick`: returns
 * light responses where possible.
 */
export function createFetch(handle: Handle, readBodyLimit: BodyLimit, isQuick = false): Fetch {
  return async (input, init) => {
    const signal = init?.signal ?? (isRequest(input) ? input.signal : undefined);
    signal?.throwIfAborted();
    const from = isRequest(input) ? input : undefined;
    const headers: Record<string, string> = {};
    const given = init?.headers ?? from?.headers;
    if (given) readHeaders(given, headers);
    const method = (init?.method ?? from?.method ?? 'GET').toUpperCase();
    const url = readPath(from?.url ?? String(input));
    const read = readBody(init?.body ?? from?.body ?? null, headers);
    // Most requests have a text body or none, and need no await.
    const whole = read instanceof Promise ? await read : read;
    const body = whole !== null && whole.length > readBodyLimit({ url, headers }) ? TOO_LARGE : whole;
    const request: WireRequest = { method, url, headers, body, loopback: true };
    if (signal) request.signal = signal;
    const handled = handle(request);
    const ready = handled instanceof Promise ? await raceAbort(handled, signal) : handled;
    // `fetch` keeps the header of a compressed response, but decodes its body.
    const shown =
      ready.compress && !ready.slow
        ? { ...ready, headers: { ...ready.headers, 'content-encoding': 'gzip' } }
        : ready;
    if (method === 'HEAD' && shown.fault?.kind !== 'drop')
      return new Response(null, { status: shown.status, headers: shown.headers });
    return isQuick && isLight(shown) ? createLightResponse(shown) : toResponse(shown);
  };
}

/** Checks the type first: looking up the platform's class `Request` is slow. */
function isRequest(input: string | URL | Request): input is Request {
  return typeof input !== 'string' && input instanceof Request;
}

function readPath(address: string): string {
  if (address.startsWith('/')) return address;
  const scheme = address.indexOf('://');
  const start = scheme === -1 ? -1 : address.indexOf('/', scheme + 3);
  if (start === -1) return '/';
  const hash = address.indexOf('#', start);
  return hash === -1 ? address.slice(start) : address.slice(start, hash);
}

function readHeaders(given: NonNullable<RequestInit['headers']>, into: Record<string, string>): void {
  if (given instanceof Headers) {
    given.forEach((value, name) => {
      into[name] = value;
    });
  } else if (Array.isArray(given)) {
    for (const [name, value] of given) into[name!.toLowerCase()] = value!;
  } else {
    for (const name of Object.keys(given)) into[name.toLowerCase()] = String(given[name]);
  }
}

function readBody(
  body: NonNullable<RequestInit['body']> | null,
  headers: Record<string, string>,
): MaybePromise<Uint8Array | string | null> {
  if (body === null) return null;
  if (typeof body === 'string') {
    headers['content-type'] ??= TEXT;
    return body;
  }
  if (body instanceof Uint8Array) return body;
  // The platform serializes forms, blobs and streams.
  const written = new Response(body);
  const type = written.headers.get('content-type');
  if (type) headers['content-type'] ??= type;
  return written.arrayBuffer().then((bytes) => new Uint8Array(bytes));
}

function toResponse(response: WireResponse): Response {
  if (response.fault?.kind === 'drop')
    throw new TypeError('fetch failed: the connection was closed before a response arrived');
  if (response.slow) return new Response(response.slow.stream, response);
  if (response.fault?.kind === 'truncate')
    return createTruncatedResponse(response, response.fault.bytes, response.headers);
  const body = response.status === 204 || response.status === 304 ? null : (response.body as BodyInit);
  return new Response(body, { status: response.status, headers: response.headers });
}

function raceAbort<T>(response: Promise<T>, signal: AbortSignal | null | undefined): Promise<T> {
  if (!signal) return response;
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    const settle = () => signal.removeEventListener('abort', abort);
    signal.addEventListener('abort', abort, { once: true });
    response.then(resolve, reject);
    response.then(settle, settle);
  });
}
