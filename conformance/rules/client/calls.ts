import { isTerminal } from '../../../spec/vocabulary.js';
import { type Fields, field } from '../../conversation/json.js';
import { KeptValue } from '../../conversation/kept-value.js';
import type { ReadEvent, ReadExchange } from '../../conversation/read-exchange.js';
import { isReplyShaped, printOf, type Reply, replyOf, saidBy } from '../../conversation/reply.js';

/** Calls remembered of a task. */
const MOST_CALLS = 10_000;

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
  see(exchange: ReadExchange): void {
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

  #reply({ id, payload }: Reply, exchange: ReadExchange): void {
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
      said: new KeptValue(saidBy(payload), exchange),
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
