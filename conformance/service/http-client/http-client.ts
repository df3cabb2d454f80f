import { decodeBody } from '../../../mock/exchange/body.js';
import { isLightResponse, readResponseHeaders } from '../../../mock/serve/light-response.js';
import type { OperationId } from '../../../spec/generated/operations.js';
import { redactHeaders } from '../../../spec/redact.js';
import { readRetryAfterMs } from '../../../spec/retry-after.js';
import type { EncodingFault, Exchange } from '../../../spec/vocabulary.js';
import { readBody } from '../../conversation/body.js';
import { isSameJson, readField } from '../../conversation/json.js';
import { applyChange, type BodyChange } from '../needs/changes.js';
import { MOST_TRIES, type Needs } from '../needs/needs.js';
import { ExchangeRecorder, ExchangeStream, type PreparedRequest, prepareRequest } from './exchanges.js';
import { fetchRaw } from './fetch-raw.js';
import { type ApiRequest, type ApiResponse, isTransient, NoResponse } from './response.js';
import { POLL_TIMEOUT_MS, type ServiceTarget } from './target.js';

/** Largest response that is read, in bytes. */
const LARGEST_RESPONSE = 32 * 1024 * 1024;
/** Temporary refusals: maximum number of waits, and of total waiting time, ms. */
const MOST_WAITS = 6;
const LONGEST_WAIT_MS = 60_000;
/** The maximum if the previous request of the operation was refused throughout. */
const WAITS_AGAIN = 1;
/** Retries of a request whose connection broke: several idle connections may have been closed together. */
const MOST_RESENDS = 2;
/** Server errors that may be temporary, and the first pause before a read is retried, ms: short, since the task continues. */
const SERVER_ERRORS = [500, 502, 503, 504];
const READ_AGAIN_MS = 100;
/** RFC 9110, section 9.2.2. */
const IDEMPOTENT = new Set(['GET', 'PUT', 'DELETE']);

/** Ends requests and pauses early; without a signal nothing is interrupted, for example during cleanup. */
export interface Interruption {
  signal?: AbortSignal | undefined;
}

/** Exchanges that rules get later or never. */
interface WithheldExchanges {
  /** Refusals, withheld until an amended request is accepted: then they are no finding. */
  refusals?: Exchange[] | undefined;
  /** Server errors, withheld until the same request gets another response. */
  errors: Exchange[];
}

/** Sends requests to the target and records each as an exchange of the stream. */
export class HttpClient {
  constructor(
    private readonly target: ServiceTarget,
    /** Default: the exchanges are not judged. */
    private readonly stream = new ExchangeStream(new ExchangeRecorder()),
    private readonly interruption: Readonly<Interruption> = {},
    /** Number of retries for a GET that gets a server error. */
    private readonly retries = 0,
  ) {}

  /**
   * Sends a request with the fields that the target is known to need. If a refusal names a field, amended requests are tried.
   * Throws NoResponse.
   */
  async send(operation: OperationId, sending: ApiRequest = {}): Promise<ApiResponse> {
    const { lagMs = 0, clock } = this.target;
    const response = await this.#sendAsNeeded(operation, sending);
    if (operation === 'createTask' && response.ok && lagMs > 0)
      await clock.sleep(lagMs, this.interruption.signal);
    return response;
  }

  async #sendAsNeeded(operation: OperationId, sending: ApiRequest): Promise<ApiResponse> {
    const { needs } = this.target;
    if (!needs || sending.mayBeRefused) return this.#sendWhenAllowed(operation, sending);
    const request = needs.amend(operation, sending);
    const refusals: Exchange[] = [];
    const response = await this.#sendWhenAllowed(operation, request, refusals);
    if (!isInvalid(response)) return request === sending ? response : { ...response, amended: request };
    try {
      return await this.#sendAmended(operation, request, response, needs, refusals);
    } finally {
      this.#reportRefusals(refusals);
    }
  }

  /** Reports refusals that no amended request resolved. Refusals of the attempts themselves are no findings. */
  #reportRefusals(refusals: Exchange[]): void {
    for (const [at, exchange] of refusals.splice(0).entries())
      this.stream.end(at === 0 ? exchange : Object.assign(exchange, { may_be_refused: true }));
  }

  /** The response to the first amended request that is accepted, else the original refusal. */
  async #sendAmended(
    operation: OperationId,
    given: ApiRequest,
    refused: ApiResponse,
    needs: Needs,
    refusals: Exchange[],
  ): Promise<ApiResponse> {
    const made: BodyChange[] = [];
    let [request, last] = [given, refused];
    let left = needs.findChanges(operation, request, last);
    let isInputRefused = true;
    for (let tries = 0; tries < MOST_TRIES && left.length > 0; tries++) {
      const [change, ...others] = left;
      const amended = { ...request, body: applyChange(request.body, change!) };
      const response = await this.#sendWhenAllowed(operation, amended, refusals);
      if (response.ok) {
        needs.recordNeed(operation, given, [...made, change!], refused);
        return { ...response, amended };
      }
      // A limit of the account, for example, says nothing about the change.
      isInputRefused &&= isInvalid(response);
      // It is refused for another reason: this change was right.
      const isNext = isInvalid(response) && response.text !== last.text;
      const more = isNext ? needs.findChanges(operation, amended, response) : [];
      if (more.length === 0 || more.some(({ path }) => isSameJson(path, change!.path))) left = others;
      else {
        made.push(change!);
        [request, last, left] = [amended, response, more];
      }
    }
    if (isInputRefused) needs.recordUnresolved(operation, given, refused);
    return refused;
  }

  /**
   * Sends a request without amendments. Waits after a 429, or a 503 with Retry-After, for the stated time, else with back-off,
   * unless the request `takes` the status.
   */
  async #sendWhenAllowed(
    operation: OperationId,
    sending: ApiRequest,
    refusals?: Exchange[],
  ): Promise<ApiResponse> {
    const { clock, paces, keys, refused } = this.target;
    const { signal } = this.interruption;
    const { takes = [] } = sending;
    const request = prepareRequest(operation, sending, keys);
    const { organisation, request: sent } = request.exchange;
    const pace = paces?.findPace(operation, organisation, sent.url.replace(/\?.*/s, ''));
    const isStart = paces !== undefined && pace === undefined;
    const until = clock.now() + LONGEST_WAIT_MS;
    const mostWaits = refused?.has(operation) ? WAITS_AGAIN : MOST_WAITS;
    for (let waits = 0; ; waits++) {
      if (takes.length === 0) await pace?.waitTurn(clock, signal);
      const response = await this.#sendUntilServed(request, takes, refusals);
      if (takes.includes(response.status)) return response;
      if (!isTransient(response)) {
        if (isTaskEnd(operation, response)) paces?.release();
        pace?.speedUp();
        refused?.delete(operation);
        return response;
      }
      const pauseMs = readPauseMs(response, clock.now()) ?? 500 * 2 ** waits;
      if (waits >= mostWaits || clock.now() + pauseMs > until || signal?.aborted) {
        // Capacity for tasks changes over time.
        if (!isStart) refused?.add(operation);
        return response;
      }
      if (response.status === 429) pace?.slowDown(clock, pauseMs);
      if (isStart) await paces.waitForRelease(clock, pauseMs, signal);
      else await clock.sleep(pauseMs, signal);
    }
  }

  /** With `retries`, a server error to a read is not a failure if a retry gets another response: the stream sets it aside. */
  async #sendUntilServed(
    request: PreparedRequest,
    takes: readonly number[],
    refusals?: Exchange[],
  ): Promise<ApiResponse> {
    const { clock } = this.target;
    const { signal } = this.interruption;
    const errors: Exchange[] = [];
    try {
      const most = request.exchange.request.method === 'GET' ? this.retries : 0;
      for (let resends = 0; ; resends++) {
        const response = await this.#sendUntilProcessed(request, { refusals, errors });
        if (resends >= most || !isServerError(response) || takes.includes(response.status)) return response;
        await clock.sleep(READ_AGAIN_MS * 2 ** resends, signal);
      }
    } finally {
      for (const each of errors) this.stream.end(each);
    }
  }

  /** A service may close an idle connection while a request is sent on it. That breaks no rule: the request is retried. */
  async #sendUntilProcessed(request: PreparedRequest, withheld: WithheldExchanges): Promise<ApiResponse> {
    for (let resends = 0; ; resends++) {
      try {
        return await this.#sendOnce(request, withheld);
      } catch (error) {
        if (!(error instanceof NoResponse && error.canResend) || resends >= MOST_RESENDS) throw error;
        this.target.closesConnections = true;
      }
    }
  }

  async #sendOnce(
    { exchange: recorded, headers: sent, body }: PreparedRequest,
    withheld: WithheldExchanges,
  ): Promise<ApiResponse> {
    const { clock, baseUrl, closesConnections, requestTimeoutMs, sendsWrongCodings } = this.target;
    this.interruption.signal?.throwIfAborted();
    const exchange = this.stream.begin({ ...recorded, request: { ...recorded.request, at: clock.now() } });
    const { method, url } = exchange.request;
    const timeoutMs =
      exchange.kind === 'poll' ? Math.max(POLL_TIMEOUT_MS, requestTimeoutMs) : requestTimeoutMs;
    const late = timeoutMs === Number.POSITIVE_INFINITY ? undefined : AbortSignal.timeout(timeoutMs);
    // A request that creates something is never interrupted: its resource could not be removed otherwise.
    const cut = method === 'GET' ? this.interruption.signal : undefined;
    const signal = late && cut ? AbortSignal.any([late, cut]) : (late ?? cut);
    try {
      const fetch = sendsWrongCodings ? fetchRaw : this.target.fetch;
      const response = await fetch(baseUrl + url, {
        method,
        headers: closesConnections ? { ...sent, connection: 'close' } : sent,
        redirect: 'manual',
        ...(signal && { signal }),
        ...(body === undefined ? {} : { body: body as NonNullable<RequestInit['body']> }),
      });
      const headers = readResponseHeaders(response);
      const { text, ...fault } = await readText(response, headers, sendsWrongCodings);
      const { status, ok } = response;
      const isDoubtful =
        headers['content-encoding'] !== undefined && readBody({ body: text }).state === 'text';
      // Bodies that were not compressed are garbled now: the request is repeated without decoding.
      if (isDoubtful && !sendsWrongCodings && method === 'GET') throw new WrongCoding();
      const at = clock.now();
      exchange.response = { status, headers: redactHeaders(headers), at, body: text, ...fault };
      const json = readBody({ body: text }).value;
      return { seq: exchange.seq, status, headers, text, body: json, r: readField(json, 'r'), ok, at };
    } catch (error) {
      cut?.throwIfAborted();
      if (isWrongCoding(error)) this.target.sendsWrongCodings = true;
      throw createNoResponse(error, exchange, late?.aborted ? timeoutMs : undefined);
    } finally {
      this.#endExchange(exchange, withheld);
    }
  }

  #endExchange(exchange: Exchange, { refusals, errors }: WithheldExchanges): void {
    const { response } = exchange;
    if (response && isServerError(response)) {
      errors.push(exchange);
      return;
    }
    if (response && errors.length > 0) this.stream.setAside(errors.splice(0));
    if (refusals && response && isInvalid(response)) {
      refusals.push(exchange);
      return;
    }
    const isMet = response !== undefined && response.status < 300;
    for (const each of (isMet && refusals?.splice(0)) || [])
      this.stream.end(Object.assign(each, { may_be_refused: true }));
    this.stream.end(exchange);
  }
}

/** A poll shows a terminal task, or the task was stopped. */
function isTaskEnd(operation: OperationId, { status, ok }: ApiResponse): boolean {
  return (operation === 'getTask' && status === 200) || (operation === 'deleteTask' && ok);
}

/** A retry may get another response, after the time in Retry-After. */
function isServerError(response: Pick<ApiResponse, 'status' | 'headers'>): boolean {
  return SERVER_ERRORS.includes(response.status) && !isTransient(response);
}

function isInvalid({ status }: Pick<ApiResponse, 'status'>): boolean {
  return status === 400 || status === 422;
}

/** A date counts from the clock of the service, if the response names its time. */
function readPauseMs({ headers }: ApiResponse, now: number): number | undefined {
  return readRetryAfterMs(headers['retry-after'], Date.parse(headers.date ?? '') || now);
}

/** Reads the body with a size limit. `isRaw`: fetch did not decode it. */
async function readText(
  response: Response,
  headers: Readonly<Record<string, string>>,
  isRaw = false,
): Promise<{ text: string; encoding_fault?: EncodingFault }> {
  // In process the text is available, and streaming it would cost more than the rest of the exchange.
  if (isLightResponse(response)) return { text: await response.text() };
  if (!response.body) return { text: '' };
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > LARGEST_RESPONSE) throw new Error(`the response is larger than ${LARGEST_RESPONSE >> 20} MiB`);
    chunks.push(chunk);
  }
  const { 'content-encoding': coding = '', ...others } = headers;
  const isDecoded = !isRaw && coding.split(',').every((each) => DECODED.test(each));
  const about = isDecoded ? others : headers;
  const { body, encoding_fault } = decodeBody(Buffer.concat(chunks), about, LARGEST_RESPONSE);
  const text = typeof body === 'string' ? body : Buffer.from(body).toString();
  return { text, ...(encoding_fault && { encoding_fault }) };
}

class WrongCoding extends Error {}

/** Codings that the global fetch decodes. */
const DECODED = /^\s*(x-gzip|gzip|deflate|br|zstd|)\s*$/i;

/** The body is not compressed as `content-encoding` states. */
function isWrongCoding(error: unknown): boolean {
  if (error instanceof WrongCoding) return true;
  return /^(Z_|ERR__ERROR_FORMAT|ERR_BROTLI|ERR_ZSTD)/.test(
    String((findCause(error) as Partial<NodeJS.ErrnoException>)?.code),
  );
}

/** `lateMs`: the timeout that was exceeded. */
function createNoResponse(
  error: unknown,
  { seq, request }: Exchange,
  lateMs: number | undefined,
): NoResponse {
  const what = `${request.method} ${request.url.replace(/\?.*/s, '')} got no response`;
  if (lateMs !== undefined) return new NoResponse(`${what} within ${lateMs / 1000} s`, seq);
  const cause = findCause(error);
  const { code, message = String(cause) } = cause as Partial<NodeJS.ErrnoException>;
  const reason = code !== undefined && !message.includes(code) ? `${code}: ${message}` : message;
  const isRefused = /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|bad port/.test(reason);
  const canResend = !isRefused && (IDEMPOTENT.has(request.method) || isUnprocessed(cause));
  return new NoResponse(`${what}: ${reason}`, seq, canResend, code);
}

/**
 * Whether a request that is not idempotent was certainly not processed: the connection was reset (closed with the request
 * unread), or it was reused and closed before the response. Browsers resend a POST then.
 */
function isUnprocessed(cause: unknown): boolean {
  const { code, socket } = cause as { code?: string; socket?: { bytesRead?: number } };
  return code === 'ECONNRESET' || code === 'EPIPE' || (socket?.bytesRead ?? 0) > 0;
}

/** fetch wraps the reason in nested causes. */
function findCause(error: unknown): unknown {
  if (error instanceof AggregateError) return error.errors[0];
  return error instanceof Error && error.cause !== undefined ? findCause(error.cause) : error;
}
