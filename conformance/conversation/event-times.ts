import type { Fields } from './json.js';
import type { Moment, ReadExchange } from './read-exchange.js';

/** Unix time in ms has been above this since 1973; in seconds it stays below for 3000 years. */
export const LEAST_MS = 100_000_000_000;

/** What the responses about a task have shown its client of the times of events. */
export class EventTimes implements Moment {
  /** The greatest timestamp so far; 0 before the first. */
  newest = 0;
  /** The response that brought it; 0 before the first. */
  seq = 0;
  respondedAt = Number.POSITIVE_INFINITY;
  /** The least timestamp so far; Infinity before the first. */
  oldest = Number.POSITIVE_INFINITY;
  /** The last event in the list of the last response that had events. Polling rule 3 names it as the next `event_t`. */
  #lastListed: { seq: number; timestamp: number | undefined } | undefined;
  /** There were events that a client has to read: more than the result of its close. */
  hasEventsToRead = false;
  /** The service gave a timestamp that is no integer: what the client makes of it is not its fault. */
  hasOddTimestamp = false;
  readonly #closes = new Set<unknown>();
  #record: Fields = {};

  see(exchange: ReadExchange): void {
    if (exchange.isClose) this.#closes.add(exchange.sent?.id);
    if (!exchange.is('getTask')) return;
    const { events, moment, record } = exchange;
    this.#record = record ?? this.#record;
    for (const { timestamp, id } of events) {
      if (!Number.isInteger(timestamp)) this.hasOddTimestamp = true;
      if (!this.#closes.has(id)) this.hasEventsToRead = true;
      if (timestamp !== undefined) this.oldest = Math.min(this.oldest, timestamp);
    }
    const last = events.at(-1);
    // A response that was overtaken by that of a later poll is not the last one.
    if (last && moment.seq > (this.#lastListed?.seq ?? 0))
      this.#lastListed = { seq: moment.seq, timestamp: last.timestamp };
    const { newest } = this.newestWith(exchange);
    if (newest > this.newest) Object.assign(this, moment, { newest });
  }

  /** The greatest timestamp when the events of this poll are counted in, and the response that brought it. */
  newestWith({ events, seq }: ReadExchange): { newest: number; seq: number } {
    const newest = events.reduce((most, { timestamp = 0 }) => Math.max(most, timestamp), this.newest);
    return newest > this.newest ? { newest, seq } : { newest, seq: this.seq };
  }

  /** True for the timestamp of the last returned event, also where the service lists events out of order. */
  isLastListed(value: number): boolean {
    return this.#lastListed?.timestamp === value;
  }

  /** Where else the client may have this number from, as text. */
  sourceOf(value: number, exchange: ReadExchange): string | undefined {
    const name = Object.keys(this.#record).find((each) => this.#record[each] === value);
    if (name !== undefined) return `it is the field "${name}" of the task`;
    return Math.abs(value - exchange.at) <= 60_000 ? 'it is the time at which the client asked' : undefined;
  }
}
