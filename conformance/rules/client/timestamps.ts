import { field } from '../../conversation/json.js';
import type { ReadExchange } from '../../conversation/read-exchange.js';

/** Places in the last answer that numbers were seen in, at most. */
const MOST_PLACES = 64;

/** What the answers of a task have told its client about the times of events. */
export class Timestamps {
  /** The greatest timestamp so far. */
  newest = 0;
  /** The least one; Infinity before the first. */
  oldest = Number.POSITIVE_INFINITY;
  /** There were events that a client has to read: more than the result of its close. */
  toRead = false;
  /** The response that brought the newest; 0 before the first. */
  seq = 0;
  /** The last event in the list of the last response that had events. Polling rule 3 names it as the next `event_t`. */
  lastListed: { seq: number; timestamp: number | undefined } | undefined;
  answeredAt = Number.POSITIVE_INFINITY;
  /** The exchanges show the task from its first event on, and nothing that the client may have read is hidden. */
  certain = false;
  /** The service gave a timestamp that is no integer: what the client makes of it is not its fault. */
  odd = false;
  #unclear = false;
  #closes = new Set<string>();
  /** The name of the field of the task, or undefined for an event that was sent. */
  #places = new Map<number, string | undefined>();

  /** To be shown every exchange about the task. */
  see(exchange: ReadExchange): void {
    if (exchange.is('createTask')) this.certain = !this.#unclear;
    const { sent } = exchange;
    if (typeof sent?.id === 'string' && field(sent.payload, 'name') === 'close') this.#closes.add(sent.id);
    if (typeof sent?.timestamp === 'number') this.#keep(sent.timestamp, undefined);
    if (!exchange.is('getTask')) return;
    if (exchange.unclear) this.#unclear = true;
    if (exchange.record && exchange.cursor.value === 0) this.certain = true;
    for (const { timestamp, id } of exchange.events) {
      if (!Number.isInteger(timestamp)) this.odd = this.#unclear = true;
      if (id === undefined || !this.#closes.has(id)) this.toRead = true;
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
      this.answeredAt = exchange.answeredAt;
    }
    if (this.#unclear) this.certain = false;
    const { record } = exchange;
    for (const name in record) {
      const value = record[name];
      if (typeof value === 'number') this.#keep(value, name);
    }
  }

  /** The greatest timestamp when the events of this poll are counted in, and the answer that brought it. */
  newestWith({ events, seq }: ReadExchange): { newest: number; seq: number } {
    let most = { newest: this.newest, seq: this.seq };
    for (const { timestamp = 0 } of events) if (timestamp > most.newest) most = { newest: timestamp, seq };
    return most;
  }

  /** True for the timestamp of the last returned event, also where the service lists events out of order. */
  isLastListed(value: number): boolean {
    return this.lastListed?.timestamp === value;
  }

  /** Where else the client may have come by this number, in words. */
  sourceOf(value: number, exchange: ReadExchange): string | undefined {
    if (this.#places.has(value)) {
      const name = this.#places.get(value);
      return name === undefined
        ? 'the timestamp of an event that the client sent'
        : `the field "${name}" of the task`;
    }
    return Math.abs(value - exchange.at) <= 60_000 ? 'the time at which the client asked' : undefined;
  }

  #keep(value: number, place: string | undefined): void {
    this.#places.delete(value);
    this.#places.set(value, place);
    if (this.#places.size > MOST_PLACES) this.#places.delete(this.#places.keys().next().value!);
  }
}
