import type { Readable } from 'node:stream';
import type { RawHeaders } from './headers.js';

/** A request to the target with its final headers. */
export interface UpstreamRequest {
  method: string;
  /** Path and query at the target's origin. */
  path: string;
  headers: RawHeaders;
  body: Uint8Array | string | Readable | null;
  /** The client that waits for the response: the request ends if it stops waiting. */
  client: { readonly signal?: AbortSignal | undefined; onClose?(listener: () => void): void };
}

export interface UpstreamResponse {
  status: number;
  reason: string;
  headers: RawHeaders;
  /** Bytes if the whole body arrived at once, else a stream, which fails if the body breaks off. */
  body: Uint8Array | ReadableStream<Uint8Array>;
}

/** A transport to the target. */
export interface Upstream {
  /** Rejects if no response begins. */
  send(request: UpstreamRequest): Promise<UpstreamResponse>;
  close(): Promise<void>;
}

/** A transport that is loaded with the first request. */
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

/** A transport by `fetch`, for a service in the same process. Redirects are not followed. */
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
        // Node.js accepts a Readable as a body.
        init.body = body as BodyInit;
        if (typeof body === 'object' && !(body instanceof Uint8Array)) init.duplex = 'half';
      }
      const response = await fetch(origin + path, init);
      // `fetch` returns decoded bodies.
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
    // `fetch` computes the length itself.
    if (headers[at]!.toLowerCase() !== 'content-length') pairs.push([headers[at]!, headers[at + 1]!]);
  return pairs;
}
