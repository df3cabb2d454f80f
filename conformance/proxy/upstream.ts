import type { Readable } from 'node:stream';
import type { RawHeaders } from './headers.js';

/** A request to the target, its headers as they are sent. */
export interface UpstreamRequest {
  method: string;
  /** Path and query at the target's origin. */
  path: string;
  headers: RawHeaders;
  body: Uint8Array | string | Readable | null;
  /** Who waits for the response: without it, the request ends. */
  client: { readonly signal?: AbortSignal | undefined; onClose?(listener: () => void): void };
}

export interface UpstreamResponse {
  status: number;
  reason: string;
  headers: RawHeaders;
  /** All of it where it came at once; else it is read as it comes, and reading it fails where it breaks off. */
  body: Uint8Array | ReadableStream<Uint8Array>;
}

/** How requests get to the target. */
export interface Upstream {
  /** Rejects where no response begins. */
  send(request: UpstreamRequest): Promise<UpstreamResponse>;
  close(): Promise<void>;
}

/** A way to the target that is loaded with the first request. */
export function createLazyUpstream(load: () => Promise<Upstream>): Upstream {
  let upstream: Upstream | undefined;
  let loading: Promise<Upstream> | undefined;
  return {
    async send(request) {
      loading ??= load();
      upstream ??= await loading;
      return upstream.send(request);
    },
    close: async () => (await loading)?.close(),
  };
}

/** The function `fetch` as a way to the target, for a service in the same process. Redirects are not followed. */
export function createFetchUpstream(
  fetch: (input: string, init?: RequestInit) => Promise<Response>,
  origin: string,
): Upstream {
  return {
    async send({ method, path, headers, body, client: { signal } }) {
      const init: RequestInit & { duplex?: 'half' } = {
        method,
        headers: toHeaderPairs(headers),
        redirect: 'manual',
      };
      if (signal) init.signal = signal;
      if (body !== null) {
        // Node.js takes a Readable for a body too.
        init.body = body as BodyInit;
        if (typeof body === 'object' && !(body instanceof Uint8Array)) init.duplex = 'half';
      }
      const response = await fetch(origin + path, init);
      // What `fetch` returns is decoded.
      const isDecoded = response.headers.has('content-encoding');
      const received = [...response.headers].filter(
        ([name]) => !isDecoded || (name !== 'content-encoding' && name !== 'content-length'),
      );
      const { status, statusText: reason } = response;
      return { status, reason, headers: received.flat(), body: response.body ?? new Uint8Array() };
    },
    close: () => Promise.resolve(),
  };
}

function toHeaderPairs(headers: RawHeaders): [string, string][] {
  const pairs: [string, string][] = [];
  for (let at = 0; at < headers.length; at += 2)
    // `fetch` counts the body itself.
    if (headers[at]!.toLowerCase() !== 'content-length') pairs.push([headers[at]!, headers[at + 1]!]);
  return pairs;
}
