import type { WireRequest, WireResponse } from '../pipeline/wire.js';
import { TOO_LARGE } from '../pipeline/wire.js';
import { slowly, truncated } from './body-streams.js';
import { isLight, lightResponse } from './light-response.js';
import type { Handle, MostBytes } from './listeners.js';

export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;
/** The content type of a text body without one. */
const TEXT = 'text/plain;charset=UTF-8';

/**
 * The transport for callers of `fetch`: in process, in a worker, in a browser. Builds no Request where an address and
 * an init were given. Rejects with a TypeError where the network lost the exchange, as `fetch` does, and with the
 * signal's reason once the call is aborted. `isQuick`: returns light responses where possible.
 */
export function createFetch(handle: Handle, mostBytes: MostBytes, isQuick = false): Fetch {
  return async (input, init) => {
    const signal = init?.signal ?? (isRequest(input) ? input.signal : undefined);
    signal?.throwIfAborted();
    const request = toWireNow(input, init, mostBytes) ?? (await toWire(input, init, mostBytes));
    if (signal) request.signal = signal;
    const handled = handle(request);
    const ready = handled instanceof Promise ? await raceAbort(handled, signal) : handled;
    return isQuick && isLight(ready) ? lightResponse(ready) : toResponse(ready, signal);
  };
}

/** Most requests have a text body or none, and need no await. */
function toWireNow(
  input: string | URL | Request,
  init: RequestInit | undefined,
  mostBytes: MostBytes,
): WireRequest | undefined {
  const body = init?.body ?? null;
  if (isRequest(input) || (body !== null && typeof body !== 'string')) return undefined;
  const url = pathOf(String(input));
  const headers: Record<string, string> = {};
  if (init?.headers) readHeaders(init.headers, headers);
  if (body !== null) headers['content-type'] ??= TEXT;
  const tooLarge = body !== null && body.length > mostBytes({ url, headers });
  const method = (init?.method ?? 'GET').toUpperCase();
  return { method, url, headers, body: tooLarge ? TOO_LARGE : body, loopback: true };
}

async function toWire(
  input: string | URL | Request,
  init: RequestInit | undefined,
  mostBytes: MostBytes,
): Promise<WireRequest> {
  const plain = !isRequest(input);
  const method = (init?.method ?? (plain ? 'GET' : input.method)).toUpperCase();
  const url = pathOf(plain ? String(input) : input.url);
  const headers: Record<string, string> = {};
  const given = init?.headers ?? (plain ? undefined : input.headers);
  if (given) readHeaders(given, headers);
  const body = init?.body ?? (plain ? null : input.body ? new Uint8Array(await input.arrayBuffer()) : null);
  const read = await readBody(body, headers);
  const tooLarge = read !== null && read.length > mostBytes({ url, headers });
  return { method, url, headers, body: tooLarge ? TOO_LARGE : read, loopback: true };
}

/** Checks the type first: looking up the platform's class `Request` is slow. */
function isRequest(input: string | URL | Request): input is Request {
  return typeof input !== 'string' && input instanceof Request;
}

function pathOf(address: string): string {
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

async function readBody(body: unknown, headers: Record<string, string>): Promise<Uint8Array | string | null> {
  if (body === null || body === undefined) return null;
  if (typeof body === 'string') {
    headers['content-type'] ??= TEXT;
    return body;
  }
  if (body instanceof Uint8Array) return body;
  // The platform serializes forms, blobs and streams.
  const written = new Response(body as BodyInit);
  const type = written.headers.get('content-type');
  if (type) headers['content-type'] ??= type;
  return new Uint8Array(await written.arrayBuffer());
}

function toResponse(response: WireResponse, signal: AbortSignal | null | undefined): Response {
  if (response.fault?.kind === 'drop')
    throw new TypeError('fetch failed: the connection was closed before a response arrived');
  if (response.slow) return slowly(response, response.slow, signal);
  if (response.fault?.kind === 'truncate') return truncated(response, response.fault.bytes, response.headers);
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
