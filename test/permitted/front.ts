import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import type { FetchFunction } from '../../conformance/service/http-client/target.js';

/** How a server in front of a service carries requests and responses. */
export interface FrontOptions {
  /** Takes the request over before its body is read; false for those that are carried as usual. */
  intercept?: (request: IncomingMessage, response: ServerResponse) => boolean;
  /** Headers to add, by the number of the response. */
  headers?: (nth: number) => Record<string, string>;
  /** Compresses the bodies by turns. */
  isCompressed?: true;
  /** Sends them in so many pieces, after informational responses. */
  pieces?: number;
}

const ENCODINGS = [
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
] as const;

/** A server on a free port in front of `fetch`. */
export async function openFront(fetch: FetchFunction, carriage: FrontOptions) {
  const { intercept, headers, isCompressed, pieces = 1 } = carriage;
  let nth = 0;
  const server = createServer(async (request, response) => {
    if (intercept?.(request, response)) return;
    const sent = await buffer(request);
    const { method = 'GET', url, headers: given } = request;
    const { connection: _, 'content-length': __, host: ___, ...others } = given as Record<string, string>;
    const init = { method, headers: others, ...(sent.length > 0 ? { body: sent } : {}) };
    const answer = await fetch(`http://mock.test${url}`, init);
    nth++;
    let body = Buffer.from(await answer.arrayBuffer());
    const fields: Record<string, string> = { ...Object.fromEntries(answer.headers), ...headers?.(nth) };
    delete fields['content-length'];
    if (isCompressed && body.length > 0) {
      const [name, compress] = ENCODINGS[nth % ENCODINGS.length]!;
      body = compress(body);
      fields['content-encoding'] = name;
    }
    if (pieces > 1) response.writeEarlyHints({ link: '</docs>; rel=preload' });
    const capitals = Object.entries(fields).map(([name, value]) => [name.toUpperCase(), value]);
    response.writeHead(answer.status, Object.fromEntries(capitals));
    const size = Math.ceil(body.length / pieces);
    for (let at = 0; at < body.length; at += size) response.write(body.subarray(at, at + size));
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}
