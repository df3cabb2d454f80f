import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ProxyOptions } from '../../../conformance/proxy/proxy-options.js';
import { createProxy, type ServiceProxy } from '../../../conformance/proxy/service-proxy.js';

type ServeFunction = (request: IncomingMessage, response: ServerResponse) => void;

/** Functions that close what was opened, called in reverse order. */
const open: (() => Promise<unknown>)[] = [];

/** Unexpected faults of proxies. */
const faults: unknown[] = [];

/** Call it after each test. Rejects with the first fault of a proxy. */
export async function closeAll(): Promise<void> {
  for (const close of open.splice(0).reverse()) await close();
  const [fault] = faults.splice(0);
  if (fault !== undefined) throw fault;
}

export function closeLater(close: () => Promise<unknown>): void {
  open.push(close);
}

/** Starts a small service on a port. */
export async function startService(serve: ServeFunction): Promise<string> {
  const server = createServer(serve);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closeLater(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

export async function startProxy(
  target: string,
  options: Partial<ProxyOptions> = {},
): Promise<{ proxy: ServiceProxy; url: string; port: number }> {
  const proxy = createProxy({
    target,
    onFault: (error) => faults.push(error),
    ...options,
  });
  closeLater(() => proxy.close());
  const { baseUrl, port } = await proxy.listen();
  return { proxy, url: baseUrl, port };
}

interface NodeResponse {
  status: number;
  reason: string;
  /** Names and values alternate. */
  headers: string[];
  body: Buffer;
}

interface SentMessage {
  method?: string;
  headers?: Record<string, string | string[]>;
  body?: string | Uint8Array;
}

/** Sends a request with node:http, which adds few headers. Rejects if the response is incomplete. */
export function send(
  url: string,
  { method = 'GET', headers = {}, body }: SentMessage = {},
): Promise<NodeResponse> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const { statusCode: status = 0, statusMessage: reason = '', rawHeaders: received } = response;
        resolve({ status, reason, headers: received, body: Buffer.concat(chunks) });
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** A promise that is settled from outside. */
export function createDeferred<T = void>(): { promise: Promise<T>; settle: (value: T) => void } {
  let settle!: (value: T) => void;
  const promise = new Promise<T>((resolve) => {
    settle = resolve;
  });
  return { promise, settle };
}
