import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
// Not the global one: a test's fake timers would delay every response.
import { setImmediate } from 'node:timers';
import { API_HEADERS, type SlowBody, toHeadText, type WireResponse } from '../exchange/wire.js';
import { callSafely } from '../pipeline/call-safely.js';
import { respondToFault } from '../pipeline/responses.js';
import { extendVary } from './listeners.js';

/** Shared by all servers of the process. */
let outbox: (() => void)[] = [];

const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/;

/**
 * Writes the head of a response. Recordings and services determine its contents: values that HTTP does not allow are replaced, and a header
 * without a valid name is left out.
 */
export function writeHead(
  output: ServerResponse,
  status: number,
  headers: readonly string[] | Readonly<Record<string, string | number>>,
  reason?: string,
): void {
  const list = Array.isArray(headers) ? (headers as string[]) : Object.entries(headers).flat().map(String);
  // A response with another status would never end.
  const final = status >= 200 && status <= 999 ? status : 502;
  try {
    output.writeHead(final, reason, list);
  } catch {
    const allowed = list.flatMap((name, at) =>
      at % 2 === 0 && HEADER_NAME.test(name) ? [name, toHeadText(list[at + 1]!)] : [],
    );
    output.writeHead(final, reason && toHeadText(reason), allowed);
  }
}

/** Ends a failed exchange: with a 500, or by closing the connection if the response has begun. Never throws. */
export function fail(output: ServerResponse, error: unknown, onFault: (error: unknown) => void): void {
  try {
    if (output.headersSent) output.destroy();
    else write(output, respondToFault());
  } catch {
    output.destroy();
  }
  callSafely(onFault, [error]);
}

/**
 * Batches `send` with those of other responses, after all received requests are handled: a client that wakes up once for many responses
 * leaves the server more CPU time. `send` must not throw.
 */
export function sendSoon(send: () => void): void {
  if (outbox.push(send) === 1) setImmediate(emptyOutbox);
}

function emptyOutbox(): void {
  const ready = outbox;
  outbox = [];
  for (const send of ready) send();
}

/** Writes a response with its network fault. Does nothing if the output is closed already. */
export function write(output: ServerResponse, response: WireResponse): void {
  if (output.destroyed) return;
  if (response.slow) {
    writeSlowly(output, response, response.slow);
    return;
  }
  const sent = response.compress && canAcceptGzip(output.req) ? compressBody(response) : response;
  if (sent.fault) {
    writeFaulty(output, sent);
    return;
  }
  const { body } = sent;
  // A response to HEAD with an unknown body has no length.
  if (sent.status === 204 || sent.status === 304 || (body === '' && output.req.method === 'HEAD')) {
    writeHead(output, sent.status, sent.headers);
    output.end();
    return;
  }
  const length = typeof body === 'string' ? Buffer.byteLength(body) : body.length;
  writeHead(output, sent.status, flattenHeaders(sent.headers, length));
  output.end(body);
}

/** RFC 9110, section 12.5.3. */
export function canAcceptGzip({ headers }: IncomingMessage): boolean {
  const accepted = String(headers['accept-encoding'] ?? '').split(',');
  return accepted.some((each) => /^\s*(?:gzip|\*)\s*(?:$|;\s*q=(?!0(?:\.0*)?\s*$))/i.test(each));
}

/** The module is loaded on demand: most mocks never need it. */
function compressBody(response: WireResponse): WireResponse {
  const vary = extendVary('accept-encoding', response.headers);
  const headers = { ...response.headers, 'content-encoding': 'gzip', vary };
  return { ...response, headers, body: process.getBuiltinModule('node:zlib').gzipSync(response.body) };
}

/** Headers in the form that node:http writes fastest: alternating names and values. */
function flattenHeaders(headers: Readonly<Record<string, string>>, length: number): string[] {
  const list = headers === API_HEADERS ? FLAT_API_HEADERS.slice() : Object.entries(headers).flat();
  list.push('content-length', String(length));
  return list;
}

const FLAT_API_HEADERS = Object.entries(API_HEADERS).flat();

async function writeSlowly(
  output: ServerResponse,
  { status, headers, body }: WireResponse,
  { stream, isEndless }: SlowBody,
): Promise<void> {
  try {
    writeHead(
      output,
      status,
      isEndless ? headers : { ...headers, 'content-length': Buffer.byteLength(body) },
    );
    output.flushHeaders();
    // The DOM types do not declare that streams are iterable.
    for await (const part of stream as unknown as AsyncIterable<Uint8Array>) {
      const hasRoom = output.write(part);
      if (output.destroyed) break;
      if (isEndless && !hasRoom) await awaitDrain(output);
    }
    output.end();
  } catch {
    output.req.socket.destroy();
  }
}

function writeFaulty(output: ServerResponse, response: WireResponse): void {
  const fault = response.fault!;
  if (fault.kind === 'drop') {
    // The output has no socket of its own while an earlier response on the same connection is pending.
    output.req.socket.destroy();
    return;
  }
  const whole = Buffer.from(response.body);
  writeHead(output, response.status, { ...response.headers, 'content-length': whole.length });
  output.write(whole.subarray(0, Math.min(fault.bytes, whole.length - 1)), () => output.req.socket.destroy());
}

/** Removes its listeners: a slow reader of an endless body makes it wait thousands of times. */
async function awaitDrain(output: ServerResponse): Promise<void> {
  const over = new AbortController();
  const { signal } = over;
  try {
    await Promise.race([once(output, 'drain', { signal }), once(output, 'close', { signal })]);
  } finally {
    over.abort();
  }
}
