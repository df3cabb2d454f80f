import type { ReadExchange } from './read-exchange.js';

/** Unix time in ms has been above this since 1973; in seconds it stays below for 3000 years. */
export const LEAST_MS = 100_000_000_000;

/** Most timestamps remembered of a task. */
const MOST = 10_000;

/** Event times that the responses about a task have shown to its client. */
export class EventTimes {
  /** The greatest timestamp so far; 0 before the first. */
  newest = 0;
  source: ReadExchange | undefined;
  /** The least timestamp so far; Infinity before the first. */
  oldest = Number.POSITIVE_INFINITY;
  /** The last event in the last response with events. Polling rule 3 names it as the next `event_t`. */
  #lastListed = { seq: 0, timestamp: undefined as number | undefined };
  /** The last timestamp of every response, as far as remembered. */
  readonly #everLast = new Set<number>();
  /** The client has events to read other than the result of its close. */
  hasEventsToRead = false;
  /** The service sent a timestamp that is no integer: the client is not at fault for its use. */
  hasOddTimestamp = false;
  readonly #closes = new Set<unknown>();

  observe(exchange: ReadExchange): void {
    if (exchange.isClose) this.#closes.add(exchange.sent?.id);
    const { events, seq } = exchange;
    for (const { timestamp, id } of events) {
      if (!Number.isInteger(timestamp)) this.hasOddTimestamp = true;
      if (!this.#closes.has(id)) this.hasEventsToRead = true;
      if (timestamp === undefined) continue;
      this.oldest = Math.min(this.oldest, timestamp);
      if (timestamp <= this.newest) continue;
      this.newest = timestamp;
      this.source = exchange;
    }
    const last = events.at(-1);
    if (last?.timestamp !== undefined) this.#everLast.add(last.timestamp);
    if (this.#everLast.size > MOST) this.#everLast.delete(this.#everLast.values().next().value!);
    // A response that arrives after that of a later poll is not the last one.
    if (last && seq > this.#lastListed.seq) this.#lastListed = { seq, timestamp: last.timestamp };
  }

  /** True for the timestamp of the last returned event, even if the service lists events out of order. */
  isLastListed(value: number): boolean {
    return this.#lastListed.timestamp === value;
  }

  /** The same for any earlier response. */
  wasLastListed(value: number): boolean {
    return this.#everLast.has(value);
  }
}
