import type { OperationId } from '../../../spec/generated/operations.js';
import type { Exchange } from '../../../spec/vocabulary.js';
import { type Prepared, prepare, prepareOperation } from './build-request.js';
import type { Stream } from './recorder.js';
import { type ApiRequest, type ApiResponse, NoResponse } from './response.js';
import { POLL_TIMEOUT_MS, type Target } from './target.js';

/** Largest answer that is read, in bytes. */
const LARGEST_ANSWER = 32 * 1024 * 1024;
/** A limit that has been met is waited out so often, and so long in all, ms. */
const MOST_WAITS = 6;
const LONGEST_WAIT_MS = 60_000;
/** A request whose connection broke is sent again so often: several idle connections may have been closed together. */
const MOST_RESENDS = 2;
/** RFC 9110, section 9.2.2. */
const IDEMPOTENT = new Set(['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS']);

/** Sends requests to the target, each an exchange of the stream. */
export class HttpClient {
  constructor(
    private readonly target: Target,
    private readonly stream: Stream,
    private readonly interruption: { readonly signal?: AbortSignal | undefined } = {},
  ) {}

  send(operation: OperationId, sending: ApiRequest = {}): Promise<ApiResponse> {
    return this.#patiently(() => prepareOperation(operation, sending, this.target.keys), sending);
  }

  raw(method: string, path: string, sending: ApiRequest = {}): Promise<ApiResponse> {
    return this.#patiently(() => prepare(method, path, sending, this.target.keys), sending);
  }

  /** Waits a 429 out, as its Retry-After says, else longer each time. */
  async #patiently(make: () => Prepared, sending: ApiRequest): Promise<ApiResponse> {
    const { clock, pace } = this.target;
    const { signal } = this.interruption;
    const until = clock.now() + LONGEST_WAIT_MS;
    for (let wait = 0; ; wait++) {
      if (!sending.take429) await pace?.turn(clock, signal);
      const answer = await this.#resending(make);
      if (sending.take429) return answer;
      if (answer.status !== 429) {
        pace?.well();
        return answer;
      }
      const asked_s = Number(answer.headers['retry-after']);
      const pause = asked_s > 0 ? asked_s * 1000 : 500 * 2 ** wait;
      if (wait >= MOST_WAITS || clock.now() + pause > until || signal?.aborted) return answer;
      pace?.slower(clock);
      await clock.sleep(pause, signal);
    }
  }

  /** A service may close an idle connection while a request is sent on it. That breaks no rule: the request is sent again. */
  async #resending(make: () => Prepared): Promise<ApiResponse> {
    for (let resends = 0; ; resends++) {
      try {
        return await this.#once(make());
      } catch (error) {
        if (!(error instanceof NoResponse) || error.kind !== 'broken') throw error;
        this.target.closesConnections = true;
        if (!error.canResend || resends >= MOST_RESENDS) throw error;
      }
    }
  }

  async #once(request: Prepared): Promise<ApiResponse> {
    const { clock, baseUrl } = this.target;
    const { signal: stop } = this.interruption;
    stop?.throwIfAborted();
    const exchange = this.stream.begin(describe(request, clock.now()));
    const timeoutMs =
      request.kind === 'poll'
        ? Math.max(POLL_TIMEOUT_MS, this.target.requestTimeoutMs)
        : this.target.requestTimeoutMs;
    const late = AbortSignal.timeout(timeoutMs);
    // What creates something is seen to its end: it could not be removed otherwise.
    const cut = request.method === 'GET' ? stop : undefined;
    const signal = cut ? AbortSignal.any([late, cut]) : late;
    try {
      const init: RequestInit = {
        method: request.method,
        headers: this.target.closesConnections
          ? { ...request.headers, connection: 'close' }
          : request.headers,
        redirect: 'manual',
        signal,
      };
      if (request.body !== undefined) init.body = request.body as NonNullable<RequestInit['body']>;
      const response = await this.target.fetch(baseUrl + request.path, init);
      const text = await readText(response);
      const answer = answerOf(exchange.seq, request.operation, response, text, clock.now());
      exchange.response = {
        status: answer.status,
        headers: withoutCookies(answer.headers),
        body: text,
        at: answer.at,
      };
      return answer;
    } catch (error) {
      cut?.throwIfAborted();
      throw unanswered(error, late.aborted, timeoutMs, exchange);
    } finally {
      this.stream.end(exchange);
    }
  }
}

function describe(request: Prepared, at: number): Omit<Exchange, 'seq'> {
  const { kind, operation, organisation, method, path, shown, text, body } = request;
  const left_out = body instanceof Uint8Array ? body.length : typeof body === 'object' ? 0 : undefined;
  return {
    kind,
    ...(operation === undefined ? {} : { operation }),
    organisation,
    request: {
      method,
      url: path,
      headers: shown,
      ...(text === undefined ? {} : { body: text }),
      ...(left_out === undefined ? {} : { left_out }),
      at,
    },
  };
}

async function readText(response: Response): Promise<string> {
  if (!response.body) return '';
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > LARGEST_ANSWER) throw new Error(`the response is larger than ${LARGEST_ANSWER >> 20} MiB`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function answerOf(
  seq: number,
  operation: OperationId | undefined,
  response: Response,
  text: string,
  at: number,
): ApiResponse {
  const body = parse(text);
  const r = body !== null && typeof body === 'object' ? (body as { r?: unknown }).r : undefined;
  const { status } = response;
  const ok = status >= 200 && status < 300;
  return { seq, operation, status, headers: Object.fromEntries(response.headers), text, body, r, ok, at };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function withoutCookies(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, name === 'set-cookie' ? '<redacted>' : value]),
  );
}

function unanswered(error: unknown, late: boolean, timeoutMs: number, exchange: Exchange): NoResponse {
  const { method, url } = exchange.request;
  const what = `${method} ${url.replace(/\?.*/s, '')}`;
  if (late)
    return new NoResponse(`${what} got no response within ${timeoutMs / 1000} s`, exchange.seq, 'timeout');
  const cause = causeOf(error);
  const said = reasonOf(cause);
  const kind = /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|bad port/.test(said)
    ? 'refused'
    : 'broken';
  const canResend = IDEMPOTENT.has(method) || isUnprocessed(cause);
  return new NoResponse(`${what} got no response: ${said}`, exchange.seq, kind, canResend);
}

/**
 * Whether a request that is not idempotent was left unprocessed: the connection was reset, as happens when it is closed with the
 * request unread; or it had carried a response before, and was closed where the next one would begin. Browsers resend a POST then.
 */
function isUnprocessed(cause: unknown): boolean {
  const { code, socket } = cause as { code?: string; socket?: { bytesRead?: number } };
  return code === 'ECONNRESET' || code === 'EPIPE' || (socket?.bytesRead ?? 0) > 0;
}

/** What fetch says is in its cause, which may have causes of its own. */
function causeOf(error: unknown): unknown {
  let deepest: unknown = error;
  while (deepest instanceof Error && deepest.cause !== undefined) deepest = deepest.cause;
  return deepest instanceof AggregateError ? deepest.errors[0] : deepest;
}

function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  const { code } = cause as NodeJS.ErrnoException;
  return code !== undefined && !cause.message.includes(code) ? `${code}: ${cause.message}` : cause.message;
}
