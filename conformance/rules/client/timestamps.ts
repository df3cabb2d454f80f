import { field } from '../body.js';
import type { SeenExchange } from '../read.js';

/** Places in the last answer that numbers were seen in, at most. */
const MOST_PLACES = 64;

/** The `event_t` of a poll. */
export interface Cursor {
  /** Undefined when there is none. */
  text: string | undefined;
  /** 0 when there is none, which means the same; undefined when it is not an integer. */
  value: number | undefined;
}

export function cursorOf({ query }: SeenExchange): Cursor {
  const text = query.get('event_t') ?? undefined;
  if (text === undefined) return { text, value: 0 };
  return { text, value: /^-?\d+$/.test(text.trim()) ? Number(text) : undefined };
}

/** What the answers of a task have told its client about the times of events. */
export class Timestamps {
  /** The greatest timestamp so far. */
  newest = 0;
  /** The least one; Infinity before the first. */
  oldest = Number.POSITIVE_INFINITY;
  /** There were events that a client has to read: more than the result of its close. */
  toRead = false;
  /** The answer that brought the newest. */
  seq = 0;
  answeredAt = Number.POSITIVE_INFINITY;
  /** The exchanges show the task from its first event on, and nothing that the client may have read is hidden. */
  certain = false;
  /** The service gave a timestamp that is no integer: what the client makes of it is not its fault. */
  odd = false;
  #unclear = false;
  #closes = new Set<string>();
  #places = new Map<number, string>();

  /** To be shown every exchange about the task. */
  see(exchange: SeenExchange): void {
    if (exchange.is('createTask')) this.certain = !this.#unclear;
    const { sent } = exchange;
    if (typeof sent?.id === 'string' && field(sent.payload, 'name') === 'close') this.#closes.add(sent.id);
    if (typeof sent?.timestamp === 'number')
      this.#keep(sent.timestamp, 'the timestamp of an event that the client sent');
    if (!exchange.is('getTask')) return;
    if (exchange.unclear) this.#unclear = true;
    if (exchange.record && cursorOf(exchange).value === 0) this.certain = true;
    for (const { timestamp, id } of exchange.events) {
      if (!Number.isInteger(timestamp)) this.odd = this.#unclear = true;
      if (id === undefined || !this.#closes.has(id)) this.toRead = true;
      if (timestamp !== undefined) this.oldest = Math.min(this.oldest, timestamp);
      if (timestamp === undefined || timestamp <= this.newest) continue;
      this.newest = timestamp;
      this.seq = exchange.seq;
      this.answeredAt = exchange.answeredAt;
    }
    if (this.#unclear) this.certain = false;
    for (const [name, value] of Object.entries(exchange.record ?? {})) {
      if (typeof value === 'number') this.#keep(value, `the field "${name}" of the task`);
    }
  }

  /** Where else the client may have come by this number, in words. */
  sourceOf(value: number, exchange: SeenExchange): string | undefined {
    const place = this.#places.get(value);
    if (place !== undefined) return place;
    return Math.abs(value - exchange.exchange.request.at) <= 60_000
      ? 'the time at which the client asked'
      : undefined;
  }

  #keep(value: number, place: string): void {
    this.#places.delete(value);
    this.#places.set(value, place);
    if (this.#places.size > MOST_PLACES) this.#places.delete(this.#places.keys().next().value!);
  }
}
