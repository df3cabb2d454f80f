import { Agent, type Dispatcher } from 'undici';
import type { Upstream, UpstreamRequest, UpstreamResponse } from './upstream.js';

export interface HttpUpstreamOptions {
  /** Certificates are not checked. */
  insecure: boolean;
  /** Time for the headers of a response, and between two parts of its body, ms. */
  timeoutMs: number;
}

const CONNECT_MS = 10_000;
/** Bytes of a body that wait for a client that reads slowly. */
const MOST_WAITING = 256 * 1024;

/** The target over HTTP/1.1, and over HTTP/2 where an https target offers it. */
export function httpUpstream(origin: string, { insecure, timeoutMs }: HttpUpstreamOptions): Upstream {
  const agent = new Agent({
    allowH2: true,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    connect: { timeout: CONNECT_MS, rejectUnauthorized: !insecure },
  });
  return {
    send: (request) => new Promise((resolve, reject) => dispatch(agent, origin, request, resolve, reject)),
    close: () => agent.destroy(),
  };
}

function dispatch(
  agent: Agent,
  origin: string,
  { method, path, headers, body, client }: UpstreamRequest,
  resolve: (response: UpstreamResponse) => void,
  reject: (error: unknown) => void,
): void {
  const receiver = new Receiver(resolve, reject);
  const onClose = () => receiver.abort();
  if (client.onClose) client.onClose(onClose);
  else if (client.signal?.aborted) onClose();
  else client.signal?.addEventListener('abort', onClose, { once: true });
  agent.dispatch(
    { origin, path, method: method as Dispatcher.HttpMethod, headers: headers as string[], body },
    receiver as Dispatcher.DispatchHandler,
  );
}

/** Resolves with the whole response where it comes at once, else with a body that goes on. */
class Receiver {
  #abort: ((reason?: Error) => void) | undefined;
  #aborted: Error | undefined;
  #head: Omit<UpstreamResponse, 'body'> | undefined;
  #chunks: Uint8Array[] = [];
  #resume: () => void = () => {};
  #writer: ReadableStreamDefaultController<Uint8Array> | undefined;
  #isOver = false;

  constructor(
    private readonly resolve: (response: UpstreamResponse) => void,
    private readonly reject: (error: unknown) => void,
  ) {}

  abort(reason?: unknown): void {
    if (this.#isOver) return;
    this.#aborted = reason instanceof Error ? reason : new Error('the client has gone');
    this.#abort?.(this.#aborted);
  }

  onConnect(abort: (reason?: Error) => void): void {
    this.#abort = abort;
    if (this.#aborted) abort(this.#aborted);
  }

  onHeaders(status: number, headers: readonly Buffer[], resume: () => void, reason: string): boolean {
    // 100 Continue and its like are between this side and the target.
    if (status < 200) return true;
    this.#head = {
      status,
      reason: reason ?? '',
      headers: headers.flat().map((each) => each.toString('latin1')),
    };
    this.#resume = resume;
    // A small body has come by then, and needs no stream.
    setImmediate(() => this.#begin());
    return true;
  }

  onData(chunk: Buffer): boolean {
    if (!this.#writer) {
      this.#chunks.push(chunk);
      return true;
    }
    this.#writer.enqueue(chunk);
    return (this.#writer.desiredSize ?? 0) > 0;
  }

  onComplete(): void {
    this.#isOver = true;
    if (this.#writer) this.#writer.close();
    else if (this.#head) this.resolve({ ...this.#head, body: this.#whole() });
    this.#head = undefined;
  }

  onError(error: Error): void {
    this.#isOver = true;
    if (this.#writer) this.#writer.error(error);
    else if (this.#head && this.#chunks.length > 0) {
      // It has begun: the client gets what came, and then the end.
      this.#begin();
      this.#writer!.error(error);
    } else this.reject(error);
    this.#head = undefined;
  }

  #whole(): Uint8Array {
    return this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks);
  }

  #begin(): void {
    if (!this.#head || this.#writer) return;
    const source: UnderlyingDefaultSource<Uint8Array> = {
      start: (writer) => {
        this.#writer = writer;
        for (const chunk of this.#chunks) writer.enqueue(chunk);
        this.#chunks = [];
      },
      pull: () => this.#resume(),
      cancel: (reason) => this.abort(reason),
    };
    const body = new ReadableStream(source, new ByteLengthQueuingStrategy({ highWaterMark: MOST_WAITING }));
    this.resolve({ ...this.#head, body });
  }
}
