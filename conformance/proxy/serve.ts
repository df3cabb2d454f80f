import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { isAdmin } from '../../mock/admin/admin.js';
import { LARGEST_ADMIN_BODY } from '../../mock/admin/admin-request.js';
import {
  type MaybePromise,
  type ReceivedResponse,
  TOO_LARGE,
  type WireResponse,
} from '../../mock/exchange/wire.js';
import { HttpRequest } from '../../mock/serve/http-request.js';
import { canAcceptGzip, fail, sendSoon, write, writeHead } from '../../mock/serve/http-response.js';
import type { ProxyRequest } from './forward.js';
import { findHeader, type RawHeaders } from './headers.js';

/** Larger request bodies are forwarded as a stream, in bytes. */
const LARGEST_HELD = 1024 * 1024;

class PortRequest extends HttpRequest implements ProxyRequest {
  readonly rawHeaders: RawHeaders;
  stream?: Readable;

  constructor(
    message: IncomingMessage,
    private readonly output: ServerResponse,
    readonly after: number,
  ) {
    super(message, output);
    this.rawHeaders = message.rawHeaders;
  }

  /** Cheaper than a signal, which costs as much as the rest of a short exchange. */
  onClose(listener: () => void): void {
    if (this.output.closed) listener();
    else this.output.once('close', listener);
  }
}

/** Handles the requests of a port, and sends responses byte for byte as the service sent them. */
export function serveProxy(
  handle: (request: ProxyRequest) => MaybePromise<WireResponse>,
  /** How many responses have been sent. */
  sent: () => number,
  onFault: (error: unknown) => void,
): (message: IncomingMessage, response: ServerResponse) => void {
  return (message, output) => {
    const request = new PortRequest(message, output, sent());
    const respond = async () => {
      try {
        const handled = handle(request);
        await send(output, handled instanceof Promise ? await handled : handled);
      } catch (error) {
        fail(output, error, onFault);
      }
    };
    const { headers } = message;
    if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) void respond();
    else readBeginning(message, isAdmin(request.url) ? LARGEST_ADMIN_BODY : LARGEST_HELD, request, respond);
  };
}

/** Reads the body, or keeps it as a stream if it is larger than `most`, then calls `onBody`. */
function readBeginning(
  message: IncomingMessage,
  most: number,
  request: PortRequest,
  onBody: () => Promise<void>,
): void {
  const chunks: Buffer[] = [];
  let size = 0;
  const onData = (chunk: Buffer) => {
    chunks.push(chunk);
    size += chunk.length;
    if (size <= most) return;
    message.off('data', onData).off('end', onEnd).pause();
    message.unshift(Buffer.concat(chunks));
    request.body = TOO_LARGE;
    request.stream = message;
    void onBody();
  };
  const onEnd = () => {
    request.body = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
    void onBody();
  };
  message.on('data', onData).on('end', onEnd);
  // The client aborted its upload: there is no recipient for a response.
  message.on('error', () => {});
}

async function send(output: ServerResponse, response: WireResponse): Promise<void> {
  if (output.destroyed) return;
  const { received, slow, fault, status, body } = response;
  if (!received) return write(output, response);
  // The service decides whether there is a date header.
  output.sendDate = false;
  if (slow && received.body === null) {
    writeHead(output, status, received.headers, received.reason);
    return pipeBody(output, slow.stream);
  }
  const isCompressed = response.compress && canAcceptGzip(output.req);
  if (!slow && !fault && !isCompressed && received.body !== null && body === received.text) {
    writeHead(output, status, addFraming(received, output.req.method), received.reason);
    // Node.js sends headers and text in one piece, both as UTF-8, but headers and bytes in two.
    const isSame = findHeader(received.headers, 'content-encoding') === undefined && !response.encoding_fault;
    const isText = typeof body === 'string' && isSame && isAsciiHead(received);
    sendSoon(() => output.end(isText ? body : received.body));
    return;
  }
  // The network changed or delayed it: the body no longer has the encoding of the service.
  if (!slow) return write(output, response);
  const headers = { ...response.headers, 'content-length': Buffer.byteLength(body) };
  writeHead(output, status, headers, received.reason);
  return pipeBody(output, slow.stream);
}

function isAsciiHead({ reason, headers }: ReceivedResponse): boolean {
  return !NON_ASCII.test(reason) && !headers.some((each) => NON_ASCII.test(each));
}

const NON_ASCII = /[^\t\x20-\x7e]/;

/** The headers of a complete response, with its length if it was chunked. */
function addFraming({ headers, body }: ReceivedResponse, method = 'GET'): string[] {
  const hasLength = headers.some((name, at) => at % 2 === 0 && name.toLowerCase() === 'content-length');
  const mayHave = method !== 'HEAD' && body !== null && body.length > 0;
  return hasLength || !mayHave ? (headers as string[]) : [...headers, 'content-length', String(body.length)];
}

/** Streams a body at the pace of the client. If the body breaks off, the connection is destroyed. */
async function pipeBody(output: ServerResponse, stream: ReadableStream<Uint8Array>): Promise<void> {
  output.flushHeaders();
  const reader = stream.getReader();
  const onClose = () => void reader.cancel(new Error('the client closed the connection')).catch(() => {});
  output.once('close', onClose);
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read())
      if (!output.write(part.value) && !output.destroyed)
        await Promise.race([once(output, 'drain'), once(output, 'close')]);
    output.off('close', onClose);
    output.end();
  } catch {
    output.req.socket.destroy();
  }
}
