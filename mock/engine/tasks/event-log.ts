import type { TaskEvent } from '../../../spec/vocabulary.js';
import type { Task } from './task.js';

/**
 * The events of one task, oldest first. Timestamps are integer ms and strictly increasing, so that a read
 * after `event_t` loses no event (EVENT requirements; sections "Polling rules" and "Events").
 */
export class EventLog {
  #events: TaskEvent[] = [];
  #last = 0;
  /** Set if a scripted fault appended an event out of order: then reads scan all events. */
  #isUnordered = false;

  /** `limit`: most events kept. `dropped`: number of events removed from the front. */
  constructor(
    private readonly limit: number,
    events: readonly TaskEvent[] = [],
    public dropped = 0,
  ) {
    for (const event of events) this.#push(event);
  }

  get length(): number {
    return this.#events.length;
  }

  /** The largest timestamp in ms; 0 without events. */
  get last(): number {
    return this.#last;
  }

  list(): readonly TaskEvent[] {
    return this.#events;
  }

  find(id: string): TaskEvent | undefined {
    return this.#events.find((event) => event.id === id);
  }

  /**
   * Appends an event at `now` (ms), or one ms after the newest event if that is later. `timestamp` overrides
   * it, even out of order: for scripted faults.
   */
  append({ id, name, payload }: Omit<TaskEvent, 'timestamp'>, now: number, timestamp?: number): TaskEvent {
    const event = { id, name, payload, timestamp: timestamp ?? Math.max(now, this.#last + 1) };
    this.#push(event);
    // Dropping in blocks keeps appending cheap at the bound.
    if (this.#events.length > this.limit + (this.limit >> 3)) this.#keep(this.#events.slice(-this.limit));
    return event;
  }

  /** Events with a timestamp strictly after `event_t` (ms). The cost is proportional to their number. */
  listAfter(event_t: number): TaskEvent[] {
    const events = this.#events;
    if (event_t >= this.#last) return [];
    if (this.#isUnordered) return events.filter((event) => event.timestamp > event_t);
    return events.slice(events.findLastIndex((event) => event.timestamp <= event_t) + 1);
  }

  /** Removes events with a timestamp up to `time` (ms); true if there were any. Later timestamps are not affected. */
  dropUntil(time: number): boolean {
    return this.#keep(this.#events.filter((event) => event.timestamp > time));
  }

  #keep(kept: TaskEvent[]): boolean {
    const dropped = this.#events.length - kept.length;
    this.#events = kept;
    this.dropped += dropped;
    return dropped > 0;
  }

  #push(event: TaskEvent): void {
    if (event.timestamp < this.#last) this.#isUnordered = true;
    else this.#last = event.timestamp;
    this.#events.push(event);
  }
}

/** Shared by every task without events: most tasks never have one. */
export const NO_LOG = new EventLog(0);

/** Appends an event to the task's log, now or at the `timestamp` (ms) that a script sets. */
export function logEvent(task: Task, event: Omit<TaskEvent, 'timestamp'>, timestamp?: number): void {
  if (task.log === NO_LOG) task.log = new EventLog(task.organisation.setup.limits.eventsPerTask);
  task.log.append(event, task.organisation.now, timestamp);
  task.version++;
}
