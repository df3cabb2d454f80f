import type { ReadExchange } from './read-exchange.js';

/** Numbers in the last responses that are remembered, at most. */
const MOST_SOURCES = 64;

/** What the responses about a task have shown its client of the times of events. */
export class EventTimes {
  /** The greatest timestamp so far; 0 before the first. */
  newest = 0;
  /** The least timestamp so far; Infinity before the first. */
  oldest = Number.POSITIVE_INFINITY;
  /** The response that brought the newest; 0 before the first. */
  seq = 0;
  respondedAt = Number.POSITIVE_INFINITY;
  /** The last event in the list of the last response that had events. Polling rule 3 names it as the next `event_t`. */
  lastListed: { seq: number; timestamp: number | undefined } | undefined;
  /** There were events that a client has to read: more than the result of its close. */
  hasEventsToRead = false;
  /** The service gave a timestamp that is no integer: what the client makes of it is not its fault. */
  hasOddTimestamp = false;
  readonly #closes = new Set<string>();
  /** By number: the name of the field of the task that has it, or undefined for an event that was sent. */
  readonly #sources = new Map<number, string | undefined>();

  see(exchange: ReadExchange): void {
    const { sent } = exchange;
    if (exchange.isClose && typeof sent?.id === 'string') this.#closes.add(sent.id);
    if (typeof sent?.timestamp === 'number') this.#remember(sent.timestamp, undefined);
    if (!exchange.is('getTask')) return;
    for (const { timestamp, id } of exchange.events) {
      if (!Number.isInteger(timestamp)) this.hasOddTimestamp = true;
      if (id === undefined || !this.#closes.has(id)) this.hasEventsToRead = true;
      if (timestamp !== undefined) this.oldest = Math.min(this.oldest, timestamp);
    }
    const last = exchange.events.at(-1);
    // A response that was overtaken by that of a later poll is not the last one.
    if (last && exchange.seq > (this.lastListed?.seq ?? 0))
      this.lastListed = { seq: exchange.seq, timestamp: last.timestamp };
    const { newest, seq } = this.newestWith(exchange);
    if (newest > this.newest) {
      this.newest = newest;
      this.seq = seq;
      this.respondedAt = exchange.respondedAt;
    }
    const { record } = exchange;
    for (const name in record) {
      const value = record[name];
      if (typeof value === 'number') this.#remember(value, name);
    }
  }

  /** The greatest timestamp when the events of this poll are counted in, and the response that brought it. */
  newestWith({ events, seq }: ReadExchange): { newest: number; seq: number } {
    let most = { newest: this.newest, seq: this.seq };
    for (const { timestamp = 0 } of events) if (timestamp > most.newest) most = { newest: timestamp, seq };
    return most;
  }

  /** True for the timestamp of the last returned event, also where the service lists events out of order. */
  isLastListed(value: number): boolean {
    return this.lastListed?.timestamp === value;
  }

  /** Where else the client may have this number from, as text. */
  sourceOf(value: number, exchange: ReadExchange): string | undefined {
    if (this.#sources.has(value)) {
      const name = this.#sources.get(value);
      return name === undefined
        ? 'the timestamp of an event that the client sent'
        : `the field "${name}" of the task`;
    }
    return Math.abs(value - exchange.at) <= 60_000 ? 'the time at which the client asked' : undefined;
  }

  #remember(value: number, source: string | undefined): void {
    this.#sources.delete(value);
    this.#sources.set(value, source);
    if (this.#sources.size > MOST_SOURCES) this.#sources.delete(this.#sources.keys().next().value!);
  }
}
