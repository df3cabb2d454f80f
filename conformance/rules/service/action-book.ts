import { asFields, field, fingerprint } from '../../conversation/json.js';
import type { ReadExchange } from '../../conversation/read-exchange.js';
import { isReplyShaped } from '../../conversation/reply.js';
import { isOwnAnswer, isRefused, type Moment, momentOf } from './checking.js';
import { cursorOf, eventsIn, type FollowedEvent, isReading } from './seen-events.js';
import { Story } from './story.js';

/** Actions and results remembered of a task. */
const MOST = 10_000;

/** One request that sent an action. */
export interface Sending extends Moment {
  /** ms. */
  at: number;
  accepted: boolean;
  refused: boolean;
}

/** An action under one id, however often it was sent. */
export interface SentAction {
  id: string;
  /** Name of the event: undefined where it was sent under two. */
  name: unknown;
  /** Name of the action; undefined where two shared the id. */
  action: unknown;
  print: string;
  sendings: Sending[];
}

/** A result as it was first read. */
export interface ReadResult extends Moment {
  event: FollowedEvent;
}

/** The actions of one session and their results. To be shown every exchange about the task. */
export class ActionBook {
  readonly actions = new Map<string, SentAction>();
  /** By the id of the event. */
  readonly results = new Map<string, ReadResult>();
  readonly story = new Story();
  /** An action was sent whose id nobody knows. */
  anonymous = false;
  /** The task was to be stopped by DELETE before it was known to be over. */
  deleted = false;
  /** Everything up to the end was read: no poll left a stretch of time out. */
  readToEnd = false;
  readonly #replies = new Set<string>();
  #readTo = 0;
  #gap = false;

  see(exchange: ReadExchange): void {
    const { end } = this.story;
    const late = end !== undefined && exchange.couldKnow(end);
    this.story.see(exchange);
    if (exchange.is('deleteTask', 'deleteTaskData') && !late) this.deleted = true;
    const { sent } = exchange;
    if (sent?.name === 'tool_call' && typeof sent.id === 'string') this.#replies.add(sent.id);
    else if (sent && asFields(sent.payload) && !isReplyShaped(sent.payload)) this.#take(exchange);
    if (isReading(exchange) && isOwnAnswer(exchange)) this.#read(exchange);
  }

  #take(exchange: ReadExchange): void {
    const { id: given, name, payload } = exchange.sent!;
    const own = isOwnAnswer(exchange);
    const id = typeof given === 'string' && given !== '' ? given : field(exchange.record, 'id');
    if (typeof id !== 'string') this.anonymous = true;
    if (typeof id !== 'string' || this.actions.size >= MOST) return;
    const sending: Sending = {
      ...momentOf(exchange),
      at: exchange.at,
      accepted: exchange.ok && own,
      refused: own && isRefused(exchange),
    };
    const action = field(payload, 'name');
    const print = fingerprint(payload);
    const known = this.actions.get(id);
    if (!known) {
      this.actions.set(id, { id, name, action, print, sendings: [sending] });
      return;
    }
    known.sendings.push(sending);
    if (known.name !== name) known.name = undefined;
    if (known.action !== action) known.action = undefined;
  }

  #read(exchange: ReadExchange): void {
    const cursor = cursorOf(exchange)!;
    if (cursor > this.#readTo) this.#gap = true;
    if (cursor === 0) this.#gap = false;
    for (const event of eventsIn(exchange)) {
      this.#readTo = Math.max(this.#readTo, event.timestamp);
      const isResult =
        event.shape === 'result' ||
        (event.shape === 'echo' && event.name === 'tool_call' && !this.#replies.has(event.id));
      if (isResult && !this.results.has(event.id) && this.results.size < MOST)
        this.results.set(event.id, { ...momentOf(exchange), event });
    }
    if (this.story.end) this.readToEnd = !this.#gap;
  }

  /** Results with the action they belong to. */
  *pairs(): Generator<{ action: SentAction; result: ReadResult }> {
    for (const [id, result] of this.results) {
      const action = this.actions.get(id);
      if (action && fingerprint(result.event.payload) !== action.print) yield { action, result };
    }
  }
}

/** The first sending that was accepted. */
export function acceptedOf({ sendings }: SentAction): Sending | undefined {
  return sendings.find(({ accepted }) => accepted);
}
