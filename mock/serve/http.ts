import { isAscii } from 'node:buffer';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
// Not the global one: a test's fake timers would hold every answer back.
import { setImmediate } from 'node:timers';
import { API_HEADERS, TOO_LARGE, type WireRequest, type WireResponse } from '../wire.js';

export type Handle = (request: WireRequest) => WireResponse | Promise<WireResponse>;

export interface HttpDoorOptions {
  host: string;
  /** 0 takes any free port. */
  port: number;
  /** Largest body of a request, in bytes. */
  mostBytes: (request: Pick<WireRequest, 'url' | 'headers'>) => number;
  /** A fault of the mock itself: the client gets a 500, the server goes on. */
  onFault: (error: unknown) => void;
}

export interface Listening {
  port: number;
  host: string;
  server: Server;
  close(): Promise<void>;
}

/** Time a client has for sending its headers and its whole request, ms. */
const HEADERS_TIMEOUT_MS = 20_000;
const REQUEST_TIMEOUT_MS = 120_000;

/** The door for node:http. Rejects with the system's error when the port cannot be had. */
export function listen(handle: Handle, options: HttpDoorOptions): Promise<Listening> {
  const server = createServer(
    {
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      keepAliveTimeout: 60_000,
      maxHeaderSize: 32 * 1024,
      // Node's own refusal has no body.
      requireHostHeader: false,
    },
    (message, response) => serve(handle, options, message, response),
  );
  server.on('clientError', refuse);
  server.on('checkExpectation', (message, response) => {
    const detail = `Expect: ${message.headers.expect} cannot be met; only 100-continue can.`;
    write(response, {
      status: 417,
      headers: { ...JSON_HEADERS, connection: 'close' },
      body: JSON.stringify({ detail }),
    });
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, () => {
      server.off('error', reject);
      const { port } = server.address() as AddressInfo;
      resolve({ port, host: options.host, server, close: () => close(server) });
    });
  });
}

class HttpRequest implements WireRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  body: WireRequest['body'] = null;
  #signal: AbortSignal | undefined;

  constructor(
    private readonly message: IncomingMessage,
    private readonly response: ServerResponse,
  ) {
    this.method = message.method ?? 'GET';
    const { headers, url } = rememberHead(message);
    this.url = url;
    this.headers = headers;
  }

  get loopback(): boolean {
    return isLoopback(this.message.socket.remoteAddress);
  }

  /** Made only for those who wait: nearly all requests are answered before anybody could go. */
  get signal(): AbortSignal {
    if (this.#signal) return this.#signal;
    const controller = new AbortController();
    if (this.response.closed) controller.abort();
    else this.response.once('close', () => controller.abort());
    this.#signal = controller.signal;
    return this.#signal;
  }
}

interface Head {
  raw: readonly string[];
  url: string;
  headers: Record<string, string>;
}

const LAST_HEAD = Symbol('head of the last request');

/**
 * The address and headers of a request; the very objects of the request before it on the same connection where they are
 * the same, as with most clients: the journal keeps them for long, and each that it need not keep is no work for the
 * collector.
 */
function rememberHead(message: IncomingMessage): Head {
  const socket = message.socket as Socket & { [LAST_HEAD]?: Head };
  const last = socket[LAST_HEAD];
  const url = originForm(message.url ?? '/');
  if (last?.url === url && isSame(last.raw, message.rawHeaders)) return last;
  const head = { raw: message.rawHeaders, url, headers: message.headers as Record<string, string> };
  socket[LAST_HEAD] = head;
  return head;
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  if (one.length !== other.length) return false;
  for (let i = 0; i < one.length; i++) if (one[i] !== other[i]) return false;
  return true;
}

function serve(
  handle: Handle,
  options: HttpDoorOptions,
  message: IncomingMessage,
  response: ServerResponse,
): void {
  const request = new HttpRequest(message, response);
  const go = () => {
    try {
      const answer = handle(request);
      if (answer instanceof Promise) {
        answer.then((ready) => write(response, ready)).catch((error) => fault(options, response, error));
      } else {
        outbox.put(response, answer);
      }
    } catch (error) {
      fault(options, response, error);
    }
  };
  if (message.headers['content-length'] === undefined && message.headers['transfer-encoding'] === undefined)
    go();
  else readBody(message, options, request, go);
}

/** Reads the body up to the bound; the rest of a larger one is taken off the line, up to another bound, and thrown away. */
function readBody(
  message: IncomingMessage,
  options: HttpDoorOptions,
  request: WireRequest,
  go: () => void,
): void {
  const most = options.mostBytes(request);
  const chunks: Buffer[] = [];
  let size = 0;
  let complete = false;
  const finish = () => {
    if (complete) return;
    complete = true;
    if (size > most) request.body = TOO_LARGE;
    else request.body = asText(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks));
    go();
  };
  const expected = Number(message.headers['content-length'] ?? Number.NaN);
  message.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size <= most) chunks.push(chunk);
    else chunks.length = 0;
    // The announced length is there: no need to wait for the end of the stream to say so.
    if (size === expected) finish();
    // Clients read an answer only once they have sent everything; beyond this they have to do without one.
    if (size > most + DRAIN_AT_MOST) message.destroy();
  });
  message.on('end', finish);
  message.on('error', ignore);
}

function ignore(): void {}

/** Plain ASCII, as most bodies are, is quicker to read here than as UTF-8 further on. */
function asText(body: Buffer): Buffer | string {
  return body.length <= LONGEST_TEXT && isAscii(body) ? body.toString('latin1') : body;
}

const LONGEST_TEXT = 64 * 1024;

const DRAIN_AT_MOST = 256 * 1024 * 1024;

/**
 * Answers that are ready leave together once all requests that have arrived are handled: a client that is woken once
 * for many answers, and not for each, leaves the machine more time for the mock.
 */
class Outbox {
  #waiting: { response: ServerResponse; answer: WireResponse }[] = [];

  put(response: ServerResponse, answer: WireResponse): void {
    if (this.#waiting.push({ response, answer }) === 1) setImmediate(() => this.#send());
  }

  #send(): void {
    const ready = this.#waiting;
    this.#waiting = [];
    for (const { response, answer } of ready) write(response, answer);
  }
}

const outbox = new Outbox();

function write(response: ServerResponse, answer: WireResponse): void {
  if (response.destroyed) return;
  if (answer.fault) {
    writeFaulty(response, answer);
    return;
  }
  const { body } = answer;
  if (answer.status === 204 || answer.status === 304) {
    response.writeHead(answer.status, answer.headers);
    response.end();
    return;
  }
  const length = typeof body === 'string' ? Buffer.byteLength(body) : body.length;
  response.writeHead(answer.status, flat(answer.headers, length));
  response.end(body);
}

/** Headers as node:http takes them fastest: names and values in turn. */
function flat(headers: Readonly<Record<string, string>>, length: number): string[] {
  const list = headers === API_HEADERS ? FLAT_API_HEADERS.slice() : Object.entries(headers).flat();
  list.push('content-length', String(length));
  return list;
}

const FLAT_API_HEADERS = Object.entries(API_HEADERS).flat();

function writeFaulty(response: ServerResponse, answer: WireResponse): void {
  const fault = answer.fault!;
  if (fault.kind === 'drop') {
    // Not the response's own socket: behind an answer on the same connection that is still to come it has none yet.
    response.req.socket.destroy();
    return;
  }
  const whole = Buffer.from(answer.body);
  response.writeHead(answer.status, { ...answer.headers, 'content-length': whole.length });
  response.write(whole.subarray(0, Math.min(fault.bytes, whole.length - 1)), () =>
    response.req.socket.destroy(),
  );
}

function fault(options: HttpDoorOptions, response: ServerResponse, error: unknown): void {
  options.onFault(error);
  if (response.headersSent) response.destroy();
  else write(response, { status: 500, headers: JSON_HEADERS, body: FAULT });
}

const JSON_HEADERS = { 'content-type': 'application/json' };
const FAULT = JSON.stringify({ detail: 'A fault of the mock itself: its log says more. Please report it.' });

/** What node:http cannot read is answered as everything else: JSON with a detail. */
function refuse(error: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const [status, detail] =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? ['431 Request Header Fields Too Large', 'The headers are larger than 32 KiB.']
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? ['408 Request Timeout', 'The request did not arrive in time.']
        : ['400 Bad Request', 'This is not a request that HTTP/1.1 allows.'];
  const body = JSON.stringify({ detail });
  socket.end(
    `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}

/** Proxies send the whole address, and every server has to take it (RFC 9112, section 3.2.2). */
function originForm(url: string): string {
  if (url.startsWith('/')) return url;
  const path = /^https?:\/\/[^/?#]*(.*)$/i.exec(url)?.[1];
  if (path === undefined) return url;
  return path.startsWith('/') ? path : `/${path}`;
}

function isLoopback(address: string | undefined): boolean {
  if (address === undefined) return false;
  return address.startsWith('127.') || address === '::1' || address.startsWith('::ffff:127.');
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
