import { Agent, type ClientRequest, type IncomingMessage, request as requestPlain } from 'node:http';
import { request as requestTls, Agent as TlsAgent } from 'node:https';
import { connect as connectPlain } from 'node:net';
import { Readable } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import { findHeader } from './headers.js';
import { UpstreamError } from './target.js';
import type { Upstream, UpstreamRequest, UpstreamResponse } from './upstream.js';

interface HttpUpstreamOptions {
  /** Certificates are not checked. */
  insecure: boolean;
  /** Time for the headers of a response, and between two parts of its body, ms. */
  timeoutMs: number;
}

const CONNECT_MS = 10_000;
/** Idle connections are closed after this time, ms: before the server closes them, which would lose the next request. */
const IDLE_MS = 4000;
/** Largest headers of a response, in bytes. */
const LARGEST_HEADERS = 64 * 1024;
/** Bytes of a body that are buffered for a slow client. */
const MOST_WAITING = 256 * 1024;
/** Methods whose requests always have a body, even an empty one (RFC 9110, section 8.6). */
const WITH_BODY = ['POST', 'PUT', 'PATCH'];

/** The target over HTTP/1.1. */
export function createHttpUpstream(origin: string, { insecure, timeoutMs }: HttpUpstreamOptions): Upstream {
  const { protocol, hostname, port, host } = new URL(origin);
  const isTls = protocol === 'https:';
  const idle = { keepAlive: true, timeout: IDLE_MS };
  const agent = isTls ? new TlsAgent({ ...idle, rejectUnauthorized: !insecure }) : new Agent(idle);
  const where = {
    agent,
    hostname: unwrapHost(hostname),
    ...(port !== '' && { port }),
    timeout: timeoutMs,
    maxHeaderSize: LARGEST_HEADERS,
  };
  const open = (request: UpstreamRequest): ClientRequest => {
    const { method, path } = request;
    const headers = ['host', host, ...addFraming(request)];
    try {
      return (isTls ? requestTls : requestPlain)({ ...where, method, path, headers });
    } catch (error) {
      throw new UpstreamError(`the request cannot be forwarded: ${(error as Error).message}.`, 400);
    }
  };
  return {
    send: (request) => new Promise((resolve, reject) => sendRequest(open(request), request, resolve, reject)),
    close: async () => agent.destroy(),
  };
}

/** Adds the length of the body, or chunked encoding if it is unknown. */
function addFraming({ method, headers, body }: UpstreamRequest): string[] {
  if (findHeader(headers, 'content-length') !== undefined) return [...headers];
  if (body instanceof Readable) return [...headers, 'transfer-encoding', 'chunked'];
  if (body === null && !WITH_BODY.includes(method)) return [...headers];
  return [...headers, 'content-length', String(Buffer.byteLength(body ?? ''))];
}

function sendRequest(
  sent: ClientRequest,
  { body, client }: UpstreamRequest,
  resolve: (response: UpstreamResponse) => void,
  reject: (error: unknown) => void,
): void {
  const onClose = () => {
    // Called after each response: creating an error with its stack is expensive.
    if (!sent.destroyed) sent.destroy(new Error('the client closed the connection'));
  };
  if (client.onClose) client.onClose(onClose);
  else if (client.signal?.aborted) onClose();
  else client.signal?.addEventListener('abort', onClose, { once: true });
  sent.on('error', reject);
  sent.on('timeout', () => sent.destroy(createTimeoutError('no data arrived')));
  sent.on('response', (message) => receive(message, resolve, reject));
  sent.on('upgrade', (_, socket) => {
    socket.destroy();
    reject(new UpstreamError('the target switched protocols (101), which no request requested.'));
  });
  sent.on('socket', (socket) => {
    if (!socket.connecting) return;
    const timer = setTimeout(
      () => sent.destroy(createTimeoutError('no connection was established')),
      CONNECT_MS,
    );
    const clear = () => clearTimeout(timer);
    socket.once('connect', clear).once('close', clear);
  });
  if (!(body instanceof Readable)) sent.end(body);
  // A client that aborts its upload is gone: `onClose` ends the request.
  else body.on('error', () => {}).pipe(sent);
}

function createTimeoutError(message: string): Error {
  return Object.assign(new Error(message), { code: 'ETIMEDOUT' });
}

/** Resolves with the whole response if it arrives at once, else with a stream. */
function receive(
  message: IncomingMessage,
  resolve: (response: UpstreamResponse) => void,
  reject: (error: unknown) => void,
): void {
  const { statusCode: status = 0, statusMessage: reason = '', rawHeaders: headers } = message;
  if (status < 200) {
    message.destroy();
    reject(new UpstreamError(`the target sent the status ${status}, which is not a final response.`));
    return;
  }
  const chunks: Uint8Array[] = [];
  let writer: ReadableStreamDefaultController<Uint8Array> | undefined;
  let isOver = false;
  const begin = () => {
    if (isOver || writer) return;
    const source: UnderlyingDefaultSource<Uint8Array> = {
      start: (controller) => {
        writer = controller;
        for (const chunk of chunks) controller.enqueue(chunk);
      },
      pull: () => {
        message.resume();
      },
      cancel: () => {
        message.destroy();
      },
    };
    const body = new ReadableStream(source, new ByteLengthQueuingStrategy({ highWaterMark: MOST_WAITING }));
    resolve({ status, reason, headers, body });
  };
  message.on('data', (chunk: Uint8Array) => {
    if (!writer) {
      chunks.push(chunk);
      return;
    }
    writer.enqueue(chunk);
    if ((writer.desiredSize ?? 0) <= 0) message.pause();
  });
  message.on('end', () => {
    isOver = true;
    if (writer) writer.close();
    else resolve({ status, reason, headers, body: chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks) });
  });
  message.on('error', (error) => {
    if (isOver) return;
    // The response has begun: the client gets the received part, then the error.
    if (chunks.length > 0) begin();
    isOver = true;
    if (writer) writer.error(error);
    else reject(error);
  });
  // A small body has arrived by then and needs no stream.
  setImmediate(begin);
}

/** Opens and closes a connection without sending data. Rejects with the system's error. */
export function reach(origin: string, insecure: boolean): Promise<void> {
  const { protocol, hostname, port } = new URL(origin);
  const isTls = protocol === 'https:';
  const host = unwrapHost(hostname);
  const where = { host, port: Number(port || (isTls ? 443 : 80)) };
  const servername = /^[\d.]+$|:/.test(host) ? {} : { servername: host };
  const tls = { ...where, ...servername, rejectUnauthorized: !insecure, ALPNProtocols: ['http/1.1'] };
  return new Promise((resolve, reject) => {
    const socket = isTls ? connectTls(tls) : connectPlain(where);
    const refuse = (error: Error) => {
      socket.destroy();
      reject(error);
    };
    socket.setTimeout(CONNECT_MS, () => {
      refuse(Object.assign(new Error('no connection was established'), { code: 'ETIMEDOUT' }));
    });
    socket.once('error', refuse);
    socket.once(isTls ? 'secureConnect' : 'connect', () => {
      socket.destroy();
      resolve();
    });
  });
}

/** An IPv6 address without its brackets. */
function unwrapHost(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '');
}
