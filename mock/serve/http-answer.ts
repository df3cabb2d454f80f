import type { ServerResponse } from 'node:http';
// Not the global one: a test's fake timers would hold every answer back.
import { setImmediate } from 'node:timers';
import { API_HEADERS, type SlowBody, type WireResponse } from '../pipeline/wire.js';

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

/** One for all servers of the process. */
export const outbox = new Outbox();

/** Writes an answer, with what the network does to it. A response that is gone already is left alone. */
export function write(response: ServerResponse, answer: WireResponse): void {
  if (response.destroyed) return;
  if (answer.slow) {
    writeSlowly(response, answer, answer.slow);
    return;
  }
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

function writeSlowly(
  response: ServerResponse,
  { status, headers, body, fault }: WireResponse,
  slow: SlowBody,
): void {
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) });
  response.flushHeaders();
  slow.send(
    (part) => response.write(part),
    () => (fault ? response.req.socket.destroy() : response.end()),
  );
}

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
