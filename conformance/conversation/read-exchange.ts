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
} from './body.js';
import { type Fields, field } from './json.js';

export type { ReadEvent, SentEvent } from './body.js';

/** Where the path has no parameters. */
const NO_PATH: ReadonlyMap<string, string> = new Map();

/** Notes on the network's part that mean that the client did not get the whole of the answer that is on record. */
const NOT_ALL_ARRIVED = /cut off|client has gone/;

/**
 * An exchange with what rules want to know of it, each read once and only when somebody asks. Tolerant of anything:
 * bodies that are cut or not JSON, answers that are missing, fields of any type.
 */
export class ReadExchange {
  readonly seq: number;
  /** When the request arrived, ms. */
  readonly at: number;
  /** When the answer left, ms; Infinity when the client never got one. */
  readonly answeredAt: number;
  readonly operation: Operation | undefined;
  readonly #address: Address;
  #requestBody: Body | undefined;
  #responseBody: Body | undefined;
  #task: TaskResponse | undefined;

  constructor(
    readonly exchange: Exchange,
    /** An answer takes at least so long to be acted on, ms. */
    private readonly latency_ms = 0,
    /** Where they are known better than by the exchange. */
    times?: { at: number; answeredAt: number | undefined },
  ) {
    this.seq = exchange.seq;
    this.at = times ? times.at : exchange.request.at;
    this.answeredAt = (times ? times.answeredAt : exchange.response?.at) ?? Number.POSITIVE_INFINITY;
    this.#address = addressOf(exchange);
    this.operation = this.#address.target?.operation;
  }

  is(one: OperationId, other?: OperationId, third?: OperationId): boolean {
    const id = this.operation?.id;
    return id !== undefined && (id === one || id === other || id === third);
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
    this.#requestBody ??= readBody(this.exchange.request.body);
    return this.#requestBody;
  }

  /** `unknown` also where the client did not get the whole of it. */
  get responseBody(): Body {
    if (this.#responseBody === undefined) {
      const { response, network } = this.exchange;
      const partly = network?.some((note) => NOT_ALL_ARRIVED.test(note)) === true;
      this.#responseBody = partly ? { state: 'unknown' } : readBody(response?.body);
    }
    return this.#responseBody;
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

  /** True when the client could have read the answer of `earlier` before it sent this request. */
  couldKnow(earlier: { seq: number; answeredAt: number }): boolean {
    return earlier.seq < this.seq && earlier.answeredAt + this.latency_ms <= this.at;
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

function endOf({ exchange, at, answeredAt }: ReadExchange): number {
  return exchange.response ? answeredAt : at;
}

function headerOf(headers: Readonly<Record<string, string>> | undefined, name: string): string | undefined {
  if (headers === undefined) return undefined;
  if (Object.hasOwn(headers, name)) return headers[name];
  return Object.entries(headers).find(([given]) => given.toLowerCase() === name)?.[1];
}

/** `POST /task/{task_id}/event`: the operation of an exchange, for messages. */
export function nameOf({ operation }: ReadExchange): string {
  return `${operation?.method} ${operation?.path}`;
}
