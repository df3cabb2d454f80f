import { EVENT_NAMES, type EventName, isTerminal } from '../../../spec/vocabulary.js';
import { asFields, type Fields, field, fingerprint } from '../body.js';
import type { ReadEvent, SeenExchange } from '../read.js';
import { KeptValue } from './kept-value.js';

/** Calls remembered of a task. */
const MOST_CALLS = 10_000;

/** A reply as it was sent, by an event or by the deprecated update of a task. */
export interface Reply {
  id: unknown;
  /** Undefined when it is no object. */
  payload: Fields | undefined;
  /** The event name it was sent under. */
  name: 'tool_call' | EventName;
}

/** An attempt at a reply. */
export interface Attempt {
  seq: number;
  code: unknown;
  /** Code and output. */
  said: { readonly print: string };
  /** The service refused its form: it never counted. */
  invalid: boolean;
  /** Of the answer; undefined where none came. */
  status: number | undefined;
  /** The client could read that the service took it. */
  confirmed: boolean;
  answeredAt: number;
}

/** A tool call that the client has read. */
export interface Call {
  tool: string;
  /** The first answer that brought it. */
  seq: number;
  /** That answer also said that the task was over. */
  withEnd: boolean;
  timestamp: number | undefined;
  /** The last answer in which it stood with a later timestamp: the service has asked again. */
  reissued: number | undefined;
  /** The first attempt that was not refused for its form, else the first of all. */
  reply: Attempt | undefined;
}

/** The reply in a request. A payload of code and output under the name of an action counts too, under that name. */
export function replyOf(exchange: SeenExchange): Reply | undefined {
  const { sent, requestBody } = exchange;
  if (sent?.name === 'tool_call') return { id: sent.id, payload: asFields(sent.payload), name: 'tool_call' };
  if (sent && isReplyShaped(sent.payload)) {
    const name = EVENT_NAMES.find((known) => known === sent.name);
    return name && { id: sent.id, payload: asFields(sent.payload), name };
  }
  if (!exchange.is('updateTask') || requestBody.state !== 'json') return undefined;
  const payload = asFields(field(requestBody.value, 'tool_response'));
  return payload && { id: payload.id, payload, name: 'tool_call' };
}

export function isReplyShaped(payload: unknown): boolean {
  return field(payload, 'code') !== undefined && field(payload, 'name') === undefined;
}

/** The tool calls of one task, and what the client did about them. */
export class Calls {
  readonly known = new Map<string, Call>();
  /** The exchanges show the task from its beginning. */
  fromStart = false;
  #complete = false;
  #hidden = false;

  /** True when a call that is not `known` is none that the client could have read. */
  get certain(): boolean {
    return this.#complete && !this.#hidden;
  }

  /** To be shown every exchange about the task. */
  see(exchange: SeenExchange): void {
    if (exchange.is('createTask')) this.fromStart = this.#complete = true;
    const reply = replyOf(exchange);
    if (reply) this.#reply(reply, exchange);
    if (!exchange.is('getTask')) return;
    if (exchange.unclear) this.#hidden = true;
    if (exchange.record && (exchange.cursor.text ?? '0') === '0') this.#complete = true;
    const withEnd = exchange.status !== undefined && isTerminal(exchange.status);
    for (const event of exchange.events) {
      const { id, name, payload } = event;
      if (id === undefined || name !== 'tool_call') continue;
      if (isReplyShaped(payload)) this.#echo(id, payload, exchange.seq);
      else this.#call(id, event, exchange.seq, withEnd);
    }
  }

  #call(id: string, { payload, timestamp }: ReadEvent, seq: number, withEnd: boolean): void {
    const known = this.known.get(id);
    if (known) {
      if ((timestamp ?? 0) > (known.timestamp ?? 0)) known.reissued = seq;
      return;
    }
    if (this.known.size >= MOST_CALLS) {
      this.#hidden = true;
      return;
    }
    const name = field(payload, 'name');
    const tool = typeof name === 'string' ? name : '?';
    this.known.set(id, { tool, seq, withEnd, timestamp, reissued: undefined, reply: undefined });
  }

  #reply({ id, payload }: Reply, exchange: SeenExchange): void {
    const call = typeof id === 'string' ? this.known.get(id) : undefined;
    if (!call || (call.reply && !call.reply.invalid)) return;
    const { seq, answeredAt } = exchange;
    const status = exchange.exchange.response?.status;
    const invalid = status === 422;
    const confirmed = exchange.ok && !exchange.unclear;
    if (call.reply && invalid) return;
    call.reply = {
      seq,
      code: payload?.code,
      said: new KeptValue(saidIn(payload), exchange),
      invalid,
      status,
      confirmed,
      answeredAt,
    };
  }

  /** Some services show a reply as an event: then somebody has sent it. */
  #echo(id: string, payload: Fields | undefined, seq: number): void {
    const call = this.known.get(id);
    if (!call || call.reply) return;
    const unknown = { status: undefined, confirmed: false, answeredAt: Number.POSITIVE_INFINITY };
    call.reply = {
      seq,
      code: payload?.code,
      said: { print: printOf(payload) },
      invalid: false,
      ...unknown,
    };
  }
}

function saidIn(payload: Fields | undefined): unknown {
  return [payload?.code, payload?.output];
}

/** The same for the same code and output. */
export function printOf(payload: Fields | undefined): string {
  return fingerprint(saidIn(payload));
}
