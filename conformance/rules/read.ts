import type { Operation, OperationId } from '../../spec/generated/operations.js';
import { type Exchange, TASK_STATUSES, type TaskStatus } from '../../spec/vocabulary.js';
import { asFields, type Body, type Fields, field, readBody } from './body.js';
import { type Target, targetOf } from './operation-of.js';

/** An event in the answer to a poll; what is missing or of the wrong type is undefined. */
export interface ReadEvent {
  id: string | undefined;
  name: unknown;
  payload: Fields | undefined;
  timestamp: number | undefined;
}

/** An event that a request sends, as it stands in the body. */
export interface SentEvent {
  id: unknown;
  name: unknown;
  payload: unknown;
  timestamp: unknown;
}

/** Notes on the network's part that mean that the client did not get the whole of the answer that is on record. */
const NOT_ALL_ARRIVED = /cut off|client has gone/;

/**
 * An exchange with what rules want to know of it, each read once and only when somebody asks. Tolerant of anything:
 * bodies that are cut or not JSON, answers that are missing, fields of any type.
 */
export class SeenExchange {
  readonly seq: number;
  #target: Target | null | undefined;
  #query: URLSearchParams | undefined;
  #requestBody: Body | undefined;
  #responseBody: Body | undefined;
  #events: ReadEvent[] | undefined;
  #record: Fields | null | undefined;
  #sent: SentEvent | null | undefined;

  constructor(
    readonly exchange: Exchange,
    /** An answer takes at least so long to be acted on, ms. */
    private readonly latency_ms = 0,
  ) {
    this.seq = exchange.seq;
  }

  get operation(): Operation | undefined {
    return this.#aim()?.operation;
  }

  is(...ids: OperationId[]): boolean {
    const id = this.operation?.id;
    return id !== undefined && ids.includes(id);
  }

  /** Values of the path parameters, decoded. */
  get path(): ReadonlyMap<string, string> {
    return this.#aim()?.path ?? new Map();
  }

  get query(): URLSearchParams {
    if (!this.#query) {
      const { url } = this.exchange.request;
      const mark = url.indexOf('?');
      this.#query = new URLSearchParams(mark === -1 ? '' : url.slice(mark + 1).replace(/#.*$/s, ''));
    }
    return this.#query;
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

  /** When the answer left, ms; Infinity when the client never got one. */
  get answeredAt(): number {
    return this.exchange.response?.at ?? Number.POSITIVE_INFINITY;
  }

  /** True when the client could have read the answer of `earlier` before it sent this request. */
  couldKnow(earlier: { seq: number; answeredAt: number }): boolean {
    return earlier.seq < this.seq && earlier.answeredAt + this.latency_ms <= this.exchange.request.at;
  }

  /** The payload of a success in the envelope, if it is an object. */
  get record(): Fields | undefined {
    if (this.#record === undefined) {
      const { responseBody } = this;
      const isThere = this.ok && responseBody.state === 'json';
      this.#record = (isThere && asFields(field(responseBody.value, 'r'))) || null;
    }
    return this.#record ?? undefined;
  }

  /** Status of the task in the answer. */
  get status(): TaskStatus | undefined {
    const status = field(this.record, 'status');
    return TASK_STATUSES.find((known) => known === status);
  }

  /** Events in the answer to a poll. */
  get events(): readonly ReadEvent[] {
    if (!this.#events) {
      const events = this.is('getTask') ? field(this.record, 'events') : undefined;
      this.#events = Array.isArray(events) ? events.map(readEvent) : [];
    }
    return this.#events;
  }

  /** The event that the request sends, if its body is an object. */
  get sent(): SentEvent | undefined {
    if (this.#sent === undefined) this.#sent = this.#readSent() ?? null;
    return this.#sent ?? undefined;
  }

  #readSent(): SentEvent | undefined {
    if (!this.is('sendTaskEvent')) return undefined;
    const body = this.requestBody;
    if (body.state !== 'json' || asFields(body.value) === undefined) return undefined;
    const part = (name: string) => field(body.value, name);
    return { id: part('id'), name: part('name'), payload: part('payload'), timestamp: part('timestamp') };
  }

  #aim(): Target | undefined {
    if (this.#target === undefined) this.#target = targetOf(this.exchange) ?? null;
    return this.#target ?? undefined;
  }
}

function readEvent(value: unknown): ReadEvent {
  const id = field(value, 'id');
  const timestamp = field(value, 'timestamp');
  return {
    id: typeof id === 'string' ? id : undefined,
    name: field(value, 'name'),
    payload: asFields(field(value, 'payload')),
    timestamp: typeof timestamp === 'number' ? timestamp : undefined,
  };
}

function headerOf(headers: Readonly<Record<string, string>> | undefined, name: string): string | undefined {
  if (headers === undefined) return undefined;
  if (Object.hasOwn(headers, name)) return headers[name];
  return Object.entries(headers).find(([given]) => given.toLowerCase() === name)?.[1];
}

/** `POST /task/{task_id}/event`: the operation of an exchange, for messages. */
export function nameOf({ operation }: SeenExchange): string {
  return `${operation?.method} ${operation?.path}`;
}
