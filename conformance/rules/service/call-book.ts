import type { ReadExchange } from '../../conversation/read-exchange.js';
import { replyOf } from '../../conversation/reply.js';
import { isOwnAnswer, type Moment, momentOf } from './checking.js';
import { cursorOf, eventsIn, isReading } from './seen-events.js';
import { Story } from './story.js';

/** Calls remembered of a task. */
const MOST_CALLS = 10_000;

/** A call as it was first read. */
export interface Called extends Moment {
  /** Somebody has tried to reply, whatever came of it. */
  tried: boolean;
}

/** The calls of one task and the replies to them. To be shown every exchange about the task. */
export class CallBook {
  readonly calls = new Map<string, Called>();
  readonly story = new Story();
  /** When a reply to each id was first sent, ms. */
  readonly #sent_at = new Map<string, number>();

  see(exchange: ReadExchange): void {
    this.story.see(exchange);
    const id = replyOf(exchange)?.id;
    if (typeof id === 'string') this.#reply(id, exchange.at);
    if (!isOwnAnswer(exchange)) return;
    for (const event of eventsIn(exchange)) {
      // Somebody has sent it.
      if (event.shape === 'echo' && event.name === 'tool_call') this.#reply(event.id, 0);
      if (event.shape !== 'call' || this.calls.has(event.id) || this.calls.size >= MOST_CALLS) continue;
      this.calls.set(event.id, { ...momentOf(exchange), tried: this.#sent_at.has(event.id) });
    }
  }

  #reply(id: string, at: number): void {
    if (this.#sent_at.size < MOST_CALLS && !this.#sent_at.has(id)) this.#sent_at.set(id, at);
    const call = this.calls.get(id);
    if (call) call.tried = true;
  }

  /** A reply was under way, or its answer had come, by then. */
  triedBefore(id: string, { answeredAt }: Moment): boolean {
    const at = this.#sent_at.get(id);
    return at !== undefined && at <= answeredAt;
  }

  /** `event_t` of a poll that lists events; undefined for other exchanges. */
  readFrom(exchange: ReadExchange): number | undefined {
    return isReading(exchange) && isOwnAnswer(exchange) ? cursorOf(exchange) : undefined;
  }
}
