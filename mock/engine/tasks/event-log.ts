import type { TaskEvent } from '../../../spec/vocabulary.js';

// Most tasks never have an event.
const NO_EVENTS: TaskEvent[] = [];
Object.freeze(NO_EVENTS);

/**
 * The events of one task, oldest first. Timestamps are integer ms and strictly increasing, so that "after `event_t`"
 * loses nothing (EVENT requirements; sections "Polling rules" and "Events").
 */
export class EventLog {
  #events: TaskEvent[] = NO_EVENTS;
  #last = 0;
  /** True once a scripted fault put an event out of order: then reads go through all of them. */
  #unordered = false;
  /** Events dropped from the front by the retention bound. */
  dropped = 0;

  constructor(private readonly limit: number) {}

  get length(): number {
    return this.#events.length;
  }

  /** The largest timestamp in ms; 0 when there is no event. */
  get last(): number {
    return this.#last;
  }

  /**
   * Appends an event at `now` (ms), or one ms after the newest when that is not later.
   * `timestamp` forces one as it stands, even where it breaks the order: for scripted faults.
   */
  append(event: Omit<TaskEvent, 'timestamp'>, now: number, timestamp?: number): TaskEvent {
    if (this.limit === 0)
      throw new Error('This log is shared by tasks without events: logEvent gives a task its own.');
    const stamped: TaskEvent = {
      id: event.id,
      name: event.name,
      payload: event.payload,
      timestamp: timestamp ?? Math.max(now, this.#last + 1),
    };
    this.#push(stamped);
    // Dropping in blocks keeps appending cheap at the bound.
    if (this.#events.length > this.limit + (this.limit >> 3)) {
      this.dropped += this.#events.length - this.limit;
      this.#events = this.#events.slice(-this.limit);
    }
    return stamped;
  }

  /** Events with a timestamp strictly after `event_t` (ms), found by binary search. Reads change nothing. */
  after(event_t: number): TaskEvent[] {
    const events = this.#events;
    if (event_t >= this.#last) return [];
    if (this.#unordered) return events.filter((event) => event.timestamp > event_t);
    let low = 0;
    let high = events.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (events[middle]!.timestamp > event_t) high = middle;
      else low = middle + 1;
    }
    return events.slice(low);
  }

  /** Forgets events with a timestamp up to `time` (ms); true when there were any. Timestamps go on from where they were. */
  dropUntil(time: number): boolean {
    const kept = this.#events.filter((event) => event.timestamp > time);
    const dropped = this.#events.length - kept.length;
    if (dropped === 0) return false;
    this.#events = kept;
    this.dropped += dropped;
    return true;
  }

  all(): readonly TaskEvent[] {
    return this.#events;
  }

  find(id: string): TaskEvent | undefined {
    return this.#events.find((event) => event.id === id);
  }

  restore(events: readonly TaskEvent[]): void {
    this.#events = NO_EVENTS;
    this.#last = 0;
    this.#unordered = false;
    for (const event of events) this.#push(event);
  }

  #push(event: TaskEvent): void {
    if (event.timestamp < this.#last) this.#unordered = true;
    else this.#last = event.timestamp;
    if (this.#events === NO_EVENTS) this.#events = [];
    this.#events.push(event);
  }
}

/** The log of every task that has no event yet: most tasks never have one. Reads find nothing; nothing is appended. */
export const NO_LOG = new EventLog(0);
