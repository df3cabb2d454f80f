import type { Operation, OperationId } from '../../spec/generated/operations.js';
import type { Exchange, TaskStatus } from '../../spec/vocabulary.js';
import { type Address, addressOf, type Cursor } from './address.js';
import {
  type Body,
  NO_TASK_RESPONSE,
  type ReadEvent,
  readBody,
  type SentEvent,
  type TaskResponse,
  type WholeEvent,
} from './body.js';
import { type Fields, field } from './json.js';
import { isReplyShaped, type Reply, replyOf } from './reply.js';

export type { ReadEvent, SentEvent, WholeEvent } from './body.js';

/** Where the path has no parameters. */
const NO_PATH: ReadonlyMap<string, string> = new Map();

/** An exchange and when its response left (ms; Infinity without one): from then on the client could know of it. */
export interface Moment {
  seq: number;
  respondedAt: number;
}

/**
 * An exchange with what rules want to know of it, each read once and only when somebody asks. Tolerant of anything:
 * bodies that are cut or not JSON, answers that are missing, fields of any type.
 */
export class ReadExchange {
  readonly seq: number;
  /** When the request arrived, ms. */
  readonly at: number;
  /** When the answer left, ms; Infinity when the client never got one. */
  readonly respondedAt: number;
  readonly operation: Operation | undefined;
  readonly #address: Address;
  #requestBody: Body | undefined;
  #responseBody: Body | undefined;
  #task: TaskResponse | undefined;
  #reply: Reply | null | undefined;

  constructor(
    readonly exchange: Exchange,
    /** An answer takes at least so long to be acted on, ms. */
    private readonly latencyMs = 0,
    /** Where they are known better than by the exchange. */
    times?: { at: number; respondedAt: number | undefined },
  ) {
    this.seq = exchange.seq;
    this.at = times ? times.at : exchange.request.at;
    this.respondedAt = (times ? times.respondedAt : exchange.response?.at) ?? Number.POSITIVE_INFINITY;
    this.#address = addressOf(exchange);
    this.operation = this.#address.target?.operation;
  }

  is(one: OperationId, other?: OperationId, third?: OperationId): boolean {
    const id = this.operation?.id;
    return id !== undefined && (id === one || id === other || id === third);
  }

  /** `POST /task/{task_id}/event`. */
  get operationName(): string {
    return `${this.operation?.method} ${this.operation?.path}`;
  }

  /** Values of the path parameters, decoded. */
  get path(): ReadonlyMap<string, string> {
    return this.#address.target?.path ?? NO_PATH;
  }

  get query(): URLSearchParams {
    return this.#address.query;
  }

  /** The operation's method, and the address without what comes after the path. */
  get place(): string {
    return this.#address.place;
  }

  get cursor(): Cursor {
    return this.#address.cursor;
  }

  /** Those of the query, in their order. */
  get parameters(): Address['parameters'] {
    return this.#address.parameters;
  }

  /** Id of the task it is about: the exchange's word, else the path's, else that of the task it made. */
  get task(): string | undefined {
    if (this.exchange.task !== undefined) return this.exchange.task;
    const id = this.is('createTask') ? field(this.record, 'id') : this.path.get('task_id');
    return typeof id === 'string' ? id : undefined;
  }

  get requestBody(): Body {
    this.#requestBody ??= readBody(this.exchange.request);
    return this.#requestBody;
  }

  /** `unknown` also where the client did not get the whole of it. */
  get responseBody(): Body {
    if (this.#responseBody === undefined) {
      const { response, network } = this.exchange;
      const partly = network?.some(({ effect }) => effect === 'cut' || effect === 'lost') === true;
      this.#responseBody = partly ? { state: 'unknown' } : readBody(response);
    }
    return this.#responseBody;
  }

  /** The body of the request as JSON; undefined when it is none. */
  get requestJson(): unknown {
    return this.requestBody.state === 'json' ? this.requestBody.value : undefined;
  }

  /** The same of the response. */
  get responseJson(): unknown {
    return this.responseBody.state === 'json' ? this.responseBody.value : undefined;
  }

  requestHeader(name: string): string | undefined {
    return headerOf(this.exchange.request.headers, name);
  }

  responseHeader(name: string): string | undefined {
    return headerOf(this.exchange.response?.headers, name);
  }

  /** The status says that the service did what it was asked to. */
  get ok(): boolean {
    const status = this.exchange.response?.status ?? 0;
    return status >= 200 && status < 300;
  }

  /** A success whose body says nothing that can be read: the client may have read more of it than we can. */
  get unclear(): boolean {
    return this.ok && this.responseBody.state !== 'json';
  }

  /** The reply to a tool call in the request. */
  get reply(): Reply | undefined {
    if (this.#reply === undefined) this.#reply = replyOf(this) ?? null;
    return this.#reply ?? undefined;
  }

  /** The event that the request sends, if it is an action of a session, or means to be one. */
  get action(): SentEvent | undefined {
    const { sent } = this;
    return sent && sent.name !== 'tool_call' && !isReplyShaped(sent.payload) ? sent : undefined;
  }

  /** The request is an event that closes the session. */
  get isClose(): boolean {
    return field(this.sent?.payload, 'name') === 'close';
  }

  /** HTTP status of the response; 0 without one. */
  get httpStatus(): number {
    return this.exchange.response?.status ?? 0;
  }

  /** Refused for what the request says, neither for a missing right nor because there were too many. */
  get isRefused(): boolean {
    const { httpStatus } = this;
    return httpStatus >= 400 && httpStatus < 500 && ![401, 403, 408, 429].includes(httpStatus);
  }

  /** When the client could know of it; without the bodies, to be remembered. */
  get moment(): Moment {
    const { seq, respondedAt } = this;
    return { seq, respondedAt };
  }

  /**
   * The `event_t` of a poll whose response lists events, or would: 0 when left out. Undefined for other exchanges, and for
   * what is no whole number.
   */
  get readFrom(): number | undefined {
    if (!this.is('getTask') || this.record === undefined) return undefined;
    const { text, value } = this.cursor;
    if (text === '') return 0;
    return value !== undefined && value >= 0 ? value : undefined;
  }

  /** The exchange as evidence about the service: without a response that the network made or changed. */
  get ofService(): ReadExchange {
    const { exchange, latencyMs, at, respondedAt } = this;
    if (!exchange.network?.some(({ effect }) => effect !== 'delayed')) return this;
    const { response: _, ...request } = exchange;
    return new ReadExchange(request, latencyMs, { at, respondedAt });
  }

  /** True when the client could have read the answer of `earlier` before it sent this request. */
  couldKnow(earlier: Moment): boolean {
    return earlier.seq < this.seq && earlier.respondedAt + this.latencyMs <= this.at;
  }

  /** The payload of a success in the envelope, if it is an object. */
  get record(): Fields | undefined {
    return this.#taskResponse.record;
  }

  /** Status of the task in the answer. */
  get status(): TaskStatus | undefined {
    return this.#taskResponse.status;
  }

  /** Events in the answer to a poll. */
  get events(): readonly ReadEvent[] {
    return this.operation?.id === 'getTask' ? this.#taskResponse.events : NO_TASK_RESPONSE.events;
  }

  /** Those of the events that are whole. */
  get wholeEvents(): readonly WholeEvent[] {
    return this.operation?.id === 'getTask' ? this.#taskResponse.wholeEvents : NO_TASK_RESPONSE.wholeEvents;
  }

  /** The event that the request sends, if its body is an object. */
  get sent(): SentEvent | undefined {
    if (this.operation?.id !== 'sendTaskEvent') return undefined;
    const { requestBody } = this;
    return requestBody.state === 'json' ? requestBody.sent : undefined;
  }

  get #taskResponse(): TaskResponse {
    if (this.#task === undefined) {
      const { responseBody } = this;
      this.#task = this.ok && responseBody.state === 'json' ? responseBody.taskResponse : NO_TASK_RESPONSE;
    }
    return this.#task;
  }
}

/** A journal lists exchanges as they began; what a client could know depends on how they ended. */
export function byEnd(one: ReadExchange, other: ReadExchange): number {
  return endOf(one) - endOf(other) || one.seq - other.seq;
}

function endOf({ exchange, at, respondedAt }: ReadExchange): number {
  return exchange.response ? respondedAt : at;
}

function headerOf(headers: Readonly<Record<string, string>> | undefined, name: string): string | undefined {
  if (headers === undefined) return undefined;
  if (Object.hasOwn(headers, name)) return headers[name];
  return Object.entries(headers).find(([given]) => given.toLowerCase() === name)?.[1];
}
