import { isAscii } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { findTargetPath } from '../../spec/addresses.js';
import { TOO_LARGE, type WireRequest } from '../exchange/wire.js';

export class HttpRequest implements WireRequest {
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

  get connection(): number {
    const socket = this.message.socket as Socket & { [NUMBER]?: number };
    socket[NUMBER] ??= ++connections;
    return socket[NUMBER];
  }

  /** Created on demand: most responses are sent before a client can disconnect. */
  get signal(): AbortSignal {
    if (this.#signal) return this.#signal;
    const controller = new AbortController();
    if (this.response.closed) controller.abort();
    else this.response.once('close', () => controller.abort());
    this.#signal = controller.signal;
    return this.#signal;
  }
}

interface RequestHead {
  raw: readonly string[];
  url: string;
  headers: Record<string, string>;
}

const LAST_HEAD = Symbol('head of the last request');
const NUMBER = Symbol('number of the connection');
let connections = 0;

/**
 * The address and headers of a request. If they equal those of the previous request on the connection, the same objects are returned: the
 * journal keeps them for long, and fewer objects mean less garbage collection.
 */
function rememberHead(message: IncomingMessage): RequestHead {
  const socket = message.socket as Socket & { [LAST_HEAD]?: RequestHead };
  const last = socket[LAST_HEAD];
  const url = toOriginForm(message.url ?? '/');
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

/** Reads the body up to `most` bytes, then calls `go`. The rest of a larger body is read and discarded, up to a second limit. */
export function readBody(
  message: IncomingMessage,
  most: number,
  request: WireRequest,
  onRead: () => void,
): void {
  const chunks: Buffer[] = [];
  let size = 0;
  let complete = false;
  const finish = () => {
    if (complete) return;
    complete = true;
    if (size > most) request.body = TOO_LARGE;
    else request.body = decodeAscii(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks));
    onRead();
  };
  const expected = Number(message.headers['content-length'] ?? Number.NaN);
  message.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size <= most) chunks.push(chunk);
    else chunks.length = 0;
    // The announced length has arrived: do not wait for the end of the stream.
    if (size === expected) finish();
    // A client reads the response after it has sent everything. Beyond this limit it gets none.
    if (size > most + DRAIN_AT_MOST) message.destroy();
  });
  message.on('end', finish);
  message.on('error', ignore);
}

function ignore(): void {}

/** ASCII, as most bodies are, is faster to decode here than as UTF-8 later. */
function decodeAscii(body: Buffer): Buffer | string {
  return body.length <= LONGEST_TEXT && isAscii(body) ? body.toString('latin1') : body;
}

const LONGEST_TEXT = 64 * 1024;

const DRAIN_AT_MOST = 256 * 1024 * 1024;

/** Proxies send the absolute address, which every server must accept (RFC 9112, section 3.2.2). */
function toOriginForm(url: string): string {
  return url.startsWith('/') ? url : (findTargetPath(url) ?? url);
}

function isLoopback(address: string | undefined): boolean {
  if (address === undefined) return false;
  return address.startsWith('127.') || address === '::1' || address.startsWith('::ffff:127.');
}
