import type { Operation, OperationId } from '../../spec/generated/operations.js';
import { readRetryAfterMs } from '../../spec/retry-after.js';
import {
  EVENT_NAMES,
  type EventName,
  type Exchange,
  type TaskStatus,
  type UnrecordedPart,
  type UpstreamExchange,
} from '../../spec/vocabulary.js';
import {
  MessageBody,
  NO_TASK_RESPONSE,
  type ReadEvent,
  readBody,
  type SentEvent,
  type TaskResponse,
  type WholeEvent,
} from './body.js';
import type { Gap } from './gaps.js';
import { type Fields, isOneOf, isSameJson, readField, toFields } from './json.js';
import { type RequestTarget, readRequestTarget } from './request-target.js';

export type { ReadEvent, SentEvent, WholeEvent } from './body.js';

/** A reply to a tool call as sent, by an event or by the deprecated task update. */
export interface SentReply {
  id: unknown;
  /** Undefined if it is no object. */
  payload: Fields | undefined;
  name: EventName;
}

interface ExchangeTimes {
  /** When the request arrived, ms. */
  at: number;
  /** When the response left, ms. */
  respondedAt: number | undefined;
}

/** Most time between two exchanges that a service may confuse, ms. */
export const UNORDERED_MS = 5;

function readTimes({ request, response }: Exchange): ExchangeTimes {
  return { at: request.at, respondedAt: response?.at };
}

/** A response, and what shows whether the client had read it. */
export type ReadResponse = Pick<ReadExchange, 'seq' | 'gotAt' | 'knownFrom' | 'sentAs' | 'connection'>;

/** True if the client read the one response before the other. */
export function isReadBefore(one: ReadResponse, other: ReadResponse): boolean {
  return findReadTime(one, other) <= other.gotAt;
}

/** On one connection a client has read a response before it sends the next request, however late it is. */
function findReadTime(one: ReadResponse, next: Pick<ReadResponse, 'seq' | 'connection'>): number {
  const isSameConnection = one.connection !== undefined && one.connection === next.connection;
  return isSameConnection && one.seq < next.seq ? one.gotAt : one.knownFrom;
}

/**
 * An exchange with the values that rules read, each parsed on first use. Tolerates any input: truncated or non-JSON bodies,
 * missing responses, fields of any type.
 */
export class ReadExchange {
  readonly seq: number;
  /** When the request arrived, ms. */
  readonly at: number;
  /** When the response left, ms; Infinity if the client received none. */
  readonly respondedAt: number;
  /** When the response left, and when the client can first act on it, ms on the client's own clock. */
  readonly gotAt: number;
  readonly knownFrom: number;
  /** When the request arrived, ms on the client's own clock. */
  readonly #sent_ms: number;
  readonly operation: Operation | undefined;
  readonly path: RequestTarget['path'];
  readonly query: RequestTarget['query'];
  readonly ids: RequestTarget['ids'];
  readonly cursor: RequestTarget['cursor'];
  /** HTTP status of the response; 0 without one. */
  readonly httpStatus: number;
  #requestBody: MessageBody | undefined;
  #responseBody: MessageBody | undefined;
  #reply: SentReply | null | undefined;

  constructor(
    readonly exchange: Exchange,
    /** Least time before a client acts on a response, ms. */
    private readonly latencyMs = 0,
    /** Overrides the times of the exchange. */
    times?: ExchangeTimes,
    /** Times on the client's clock, if the service has a different one. */
    { at: sent_ms, respondedAt: got_ms = Number.POSITIVE_INFINITY }: ExchangeTimes = times ??
      readTimes(exchange),
  ) {
    const { at, respondedAt = Number.POSITIVE_INFINITY } = times ?? readTimes(exchange);
    this.seq = exchange.seq;
    this.at = at;
    this.respondedAt = respondedAt;
    this.gotAt = got_ms;
    this.knownFrom = got_ms + latencyMs + this.inexact_ms;
    this.#sent_ms = sent_ms;
    this.httpStatus = exchange.response?.status ?? 0;
    const { operation, path, query, ids, cursor } = readRequestTarget(exchange);
    this.operation = operation;
    this.path = path;
    this.query = query;
    this.ids = ids;
    this.cursor = cursor;
  }

  is(one: OperationId, other?: OperationId, third?: OperationId): boolean {
    const id = this.operation?.id;
    return id !== undefined && (id === one || id === other || id === third);
  }

  /** `POST /task/{task_id}/event`. */
  get operationName(): string {
    return `${this.operation?.method} ${this.operation?.path}`;
  }

  /** Id of the task: from the exchange, else from the path, else from the response that created it. */
  get task(): string | undefined {
    if (this.exchange.task !== undefined) return this.exchange.task;
    const id = this.is('createTask') ? this.record?.id : this.path.get('task_id');
    return typeof id === 'string' ? id : undefined;
  }

  get requestBody(): MessageBody {
    if (this.#requestBody === undefined) {
      const body = readBody(this.exchange.request);
      const isAnnounced = Number(this.findRequestHeader('content-length') ?? 0) > 0;
      this.#requestBody = body.state === 'absent' && isAnnounced ? new MessageBody('unknown') : body;
    }
    return this.#requestBody;
  }

  /** `unknown` also if the client did not receive all of it. */
  get responseBody(): MessageBody {
    if (this.#responseBody === undefined) {
      const { response, network } = this.exchange;
      const partly = network?.some(({ effect }) => effect === 'cut' || effect === 'lost') === true;
      this.#responseBody = partly ? new MessageBody('unknown') : readBody(response);
    }
    return this.#responseBody;
  }

  /** Undefined if the body is not JSON. */
  get requestJson(): unknown {
    return this.requestBody.value;
  }

  get responseJson(): unknown {
    return this.responseBody.value;
  }

  findRequestHeader(name: string): string | undefined {
    return findHeader(this.exchange.request.headers, name);
  }

  findResponseHeader(name: string): string | undefined {
    return findHeader(this.exchange.response?.headers, name);
  }

  /** The wait that Retry-After asks for, ms. A date counts from the time of the response, as the service names it if it does. */
  get retryAfterMs(): number | undefined {
    const at = Date.parse(this.findResponseHeader('date') ?? '') || this.respondedAt;
    return readRetryAfterMs(this.findResponseHeader('retry-after'), at ?? this.at);
  }

  /** Why this part is not known; undefined if it is. */
  findGap(part: 'body' | 'headers' | 'response'): Gap | undefined {
    const { seq, exchange, requestBody } = this;
    if (part === 'body')
      return requestBody.state === 'unknown'
        ? { why: `the body of the request in exchange ${seq} is not recorded as a whole`, seq }
        : undefined;
    if (part === 'headers')
      return this.isUnrecorded('headers')
        ? { why: `not all headers of exchange ${seq} are recorded`, seq }
        : undefined;
    const isCut = exchange.response?.left_out !== undefined;
    if (!isCut && !this.isUnrecorded('response')) return undefined;
    return { why: `the response in exchange ${seq} is not recorded${isCut ? ' as a whole' : ''}`, seq };
  }

  /** Least time from the earlier response to this request, ms. Inexact times shorten it. */
  measureMinSince({ respondedAt }: Pick<ReadExchange, 'respondedAt'>): number {
    return this.at - respondedAt - this.inexact_ms;
  }

  /** Greatest time from the earlier response to this request, ms. */
  measureMaxSince({ respondedAt }: Pick<ReadExchange, 'respondedAt'>): number {
    return this.at - respondedAt + this.inexact_ms;
  }

  /** Least time from the earlier response to the response to this request, ms. */
  measureMinUntilResponse({ respondedAt }: Pick<ReadExchange, 'respondedAt'>): number {
    return this.respondedAt - respondedAt - this.inexact_ms;
  }

  /** Greatest time from the earlier response to the response to this request, ms. */
  measureMaxUntilResponse({ respondedAt }: Pick<ReadExchange, 'respondedAt'>): number {
    return this.respondedAt - respondedAt + this.inexact_ms;
  }

  get ok(): boolean {
    return this.httpStatus >= 200 && this.httpStatus < 300;
  }

  /** A success with an unreadable body: the client may have read more of it than the recording shows. */
  get unclear(): boolean {
    return this.ok && this.responseBody.state !== 'json';
  }

  /** The client could read that the service accepted the request. */
  get isConfirmed(): boolean {
    return this.ok && this.responseBody.state === 'json';
  }

  /** Refused because of its content, not because of missing rights or a rate limit. */
  get isRefused(): boolean {
    const { httpStatus } = this;
    return httpStatus >= 400 && httpStatus < 500 && ![401, 403, 408, 429].includes(httpStatus);
  }

  /** A test case sent it to see what a refusal says: the refusal is no fault. */
  get mayBeRefused(): boolean {
    return this.exchange.may_be_refused === true;
  }

  /** True if the client could have read the response of `earlier` before it sent this request. */
  canKnow(earlier: ReadResponse): boolean {
    if (!this.isAfter(earlier)) return false;
    const isExact = this.#findOrder(earlier) !== undefined && earlier.knownFrom === earlier.gotAt;
    return isExact || findReadTime(earlier, this) <= this.#sent_ms;
  }

  /** True if the response of `earlier` had been sent when this request arrived. The client need not have read it. */
  isAfter(earlier: ReadResponse): boolean {
    if (earlier.seq >= this.seq) return false;
    const isOrdered = this.#findOrder(earlier);
    if (isOrdered !== undefined) return isOrdered;
    const { latencyMs, inexact_ms } = this;
    // Who records connections notes the times of all with one clock.
    const slack_ms = this.connection === undefined ? Math.min(latencyMs, UNORDERED_MS) + inexact_ms : 0;
    return earlier.gotAt + slack_ms <= this.#sent_ms;
  }

  /** True if a proxy sent the response of `earlier` before it received this request; undefined without a proxy. */
  #findOrder({ sentAs }: ReadResponse): boolean | undefined {
    const after = this.exchange.order?.after;
    return after === undefined || sentAs === undefined ? undefined : sentAs <= after;
  }

  /** Number of the connection; undefined if it is not known. */
  get connection(): number | undefined {
    return this.exchange.connection;
  }

  /** Position of its response in the order in which the proxy sent them. */
  get sentAs(): number | undefined {
    return this.exchange.order?.response;
  }

  /** Error of its times, ms: exchanges closer together may have occurred in the other order. */
  get inexact_ms(): number {
    const { resolution_ms = 1 } = this.exchange;
    return resolution_ms > 1 ? resolution_ms : 0;
  }

  /** The recording does not show this part: its absence proves nothing. */
  isUnrecorded(what: UnrecordedPart): boolean {
    return this.exchange.unrecorded?.includes(what) === true;
  }

  /** The exchange as evidence about the service, with the response that the service sent, or none if that is not known. */
  get ofService(): ReadExchange {
    const { exchange, latencyMs, at, respondedAt } = this;
    if (exchange.upstream?.length === 1) {
      // `order` is the order at the client.
      const { network: _, upstream, response: seen, order: __, ...rest } = exchange;
      const [{ at, response }] = upstream as [UpstreamExchange];
      const times = { at, respondedAt: response?.at };
      return new ReadExchange({ ...rest, ...(response && { response }) }, latencyMs, times);
    }
    if (!exchange.network?.some(({ effect }) => effect !== 'delayed')) return this;
    const { response: _, ...request } = exchange;
    return new ReadExchange(request, latencyMs, { at, respondedAt });
  }

  /** The event that the request sends, if its body is an object. */
  get sent(): SentEvent | undefined {
    return this.operation?.id === 'sendTaskEvent' ? toFields(this.requestJson) : undefined;
  }

  get reply(): SentReply | undefined {
    if (this.#reply === undefined) this.#reply = readReply(this) ?? null;
    return this.#reply ?? undefined;
  }

  /** The event that the request sends, if it is an action of a session, valid or not. */
  get action(): SentEvent | undefined {
    const { sent } = this;
    return sent && sent.name !== 'tool_call' && !isReplyShaped(sent.payload) ? sent : undefined;
  }

  get isClose(): boolean {
    return readField(this.sent?.payload, 'name') === 'close';
  }

  /** The request ends the task: a close, or a DELETE of the task or its data. */
  get isStop(): boolean {
    return this.isClose || this.is('deleteTask', 'deleteTaskData');
  }

  /** The payload in the envelope of a success, if it is an object. */
  get record(): Fields | undefined {
    return this.#taskResponse.record;
  }

  get status(): TaskStatus | undefined {
    return this.#taskResponse.status;
  }

  get events(): readonly ReadEvent[] {
    return this.operation?.id === 'getTask' ? this.#taskResponse.events : [];
  }

  get wholeEvents(): readonly WholeEvent[] {
    return this.operation?.id === 'getTask' ? this.#taskResponse.wholeEvents : [];
  }

  /**
   * The `event_t` of a poll whose response is a task; 0 if left out. Undefined for other exchanges, and for values that are
   * no whole number.
   */
  get readFrom(): number | undefined {
    if (!this.is('getTask') || this.record === undefined) return undefined;
    const { text, value } = this.cursor;
    if (text === '') return 0;
    return value !== undefined && value >= 0 ? value : undefined;
  }

  get #taskResponse(): TaskResponse {
    return this.ok ? this.responseBody.taskResponse : NO_TASK_RESPONSE;
  }
}

/** A payload of code and output under the name of an action counts as a reply too, under that name. */
function readReply(exchange: ReadExchange): SentReply | undefined {
  const { sent } = exchange;
  if (sent && isOneOf(EVENT_NAMES, sent.name) && (sent.name === 'tool_call' || isReplyShaped(sent.payload)))
    return { id: sent.id, payload: toFields(sent.payload), name: sent.name };
  const update = exchange.is('updateTask') && toFields(readField(exchange.requestJson, 'tool_response'));
  return update ? { id: update.id, payload: update, name: 'tool_call' } : undefined;
}

export function isSameReply({ reply: one }: ReadExchange, { reply: other }: ReadExchange): boolean {
  return (
    one?.payload?.code === other?.payload?.code && isSameJson(one?.payload?.output, other?.payload?.output)
  );
}

function isReplyShaped(payload: unknown): boolean {
  return readField(payload, 'code') !== undefined && readField(payload, 'name') === undefined;
}

/** A journal lists exchanges in the order of their requests; what a client could know depends on when they ended. */
export function compareByEnd(one: ReadExchange, other: ReadExchange): number {
  if (one.sentAs !== undefined && other.sentAs !== undefined) return one.sentAs - other.sentAs;
  return readEnd(one) - readEnd(other) || one.seq - other.seq;
}

/** Inexact times are rounded down like those of requests: exchanges of one interval ended in the order of the requests. */
function readEnd({ exchange, at, respondedAt, inexact_ms }: ReadExchange): number {
  const end = exchange.response ? respondedAt : at;
  return inexact_ms === 0 ? end : end - (end % inexact_ms);
}

function findHeader(headers: Readonly<Record<string, string>> | undefined, name: string): string | undefined {
  if (headers === undefined) return undefined;
  if (Object.hasOwn(headers, name)) return headers[name];
  return Object.entries(headers).find(([given]) => given.toLowerCase() === name)?.[1];
}
