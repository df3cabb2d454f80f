import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { API_HEADERS, createJsonResponse, type WireResponse } from '../exchange/wire.js';
import { HttpRequest, readBody } from './http-request.js';
import { fail, sendSoon, write } from './http-response.js';
import type { BodyLimit, Handle } from './listeners.js';

export interface HttpTransportOptions {
  host: string;
  /** 0 selects any free port. */
  port: number;
  /** Largest body of a request, in bytes. */
  mostBytes: BodyLimit;
  /** Called with an internal error of the mock: the client gets a 500, the server continues. */
  onFault: (error: unknown) => void;
}

export interface ListeningServer {
  port: number;
  host: string;
  close(): Promise<void>;
}

/** Most time for a client to send its headers and its whole request, ms. */
const HEADERS_TIMEOUT_MS = 20_000;
const REQUEST_TIMEOUT_MS = 120_000;

/** The transport over node:http. Rejects with the system's error if the port is not available. */
export function listen(handle: Handle, options: HttpTransportOptions): Promise<ListeningServer> {
  return openPort(options, (message, response) => serve(handle, options, message, response));
}

export function openPort(
  { host, port }: Pick<HttpTransportOptions, 'host' | 'port'>,
  serve: (message: IncomingMessage, response: ServerResponse) => void,
  requestTimeout = REQUEST_TIMEOUT_MS,
): Promise<ListeningServer> {
  const server = createServer(
    {
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout,
      keepAliveTimeout: 60_000,
      maxHeaderSize: 32 * 1024,
      // Node's own refusal has no body.
      requireHostHeader: false,
    },
    (message, response) => {
      // RFC 9112, section 3.2.
      if (message.headers.host !== undefined || message.httpVersion !== '1.1') serve(message, response);
      else refuse(response, 400, 'The request has no Host header, which HTTP/1.1 requires.');
    },
  );
  server.on('clientError', refuseUnparsed);
  server.on('checkExpectation', (message, response) => {
    refuse(response, 417, `Expect: ${message.headers.expect} cannot be met; only 100-continue can.`);
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      const { port } = server.address() as AddressInfo;
      resolve({ port, host, close: () => close(server) });
    });
  });
}

function refuse(response: ServerResponse, status: number, detail: string): void {
  write(response, createJsonResponse(status, { detail }, { ...API_HEADERS, connection: 'close' }));
}

function serve(
  handle: Handle,
  options: HttpTransportOptions,
  message: IncomingMessage,
  response: ServerResponse,
): void {
  // If a reused connection breaks, a browser silently repeats the request, which would hide a lost response. Node's fetch does not repeat
  // it, and sends no `sec-fetch-site`.
  if (message.headers['sec-fetch-site'] !== undefined) response.shouldKeepAlive = false;
  const request = new HttpRequest(message, response);
  const handleRequest = () => {
    try {
      const handled = handle(request);
      if (handled instanceof Promise) {
        handled
          .then((ready) => write(response, ready))
          .catch((error) => fail(response, error, options.onFault));
      } else sendSoon(() => writeOrFail(response, handled, options));
    } catch (error) {
      fail(response, error, options.onFault);
    }
  };
  if (message.headers['content-length'] === undefined && message.headers['transfer-encoding'] === undefined)
    handleRequest();
  else readBody(message, options.mostBytes(request), request, handleRequest);
}

function writeOrFail(
  output: ServerResponse,
  response: WireResponse,
  { onFault }: HttpTransportOptions,
): void {
  try {
    write(output, response);
  } catch (error) {
    fail(output, error, onFault);
  }
}

/** The response to a request that node:http cannot parse: JSON with a detail, as for every other error. */
function refuseUnparsed(error: NodeJS.ErrnoException, socket: Socket): void {
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

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
