import type { TaskEvent } from '../../../spec/vocabulary.js';
import type { ApiResponse } from '../http-client/response.js';
import { eventKey, eventsOf, isCall, statusOf } from './read-task.js';
import type { KeyName } from './test-case.js';

/** Events of one task that are kept. A service that lists more is not followed any further. */
export const MOST_EVENTS = 50_000;

/** A task or session that a case has created, as far as its polls have shown it. */
export class TaskHandle {
  /** All events that were read, in the order in which they came. */
  readonly events: TaskEvent[] = [];
  /** Largest timestamp read: the next `event_t`. */
  event_t = 0;
  /** The newest response to a poll; the creation before the first. */
  last: ApiResponse;
  /** Status as last seen. */
  status: string;
  isCancelled = false;
  readonly #seen = new Set<string>();
  readonly #returned = new Set<string>();

  constructor(
    readonly id: string,
    readonly key: KeyName,
    readonly created: ApiResponse,
  ) {
    this.last = created;
    this.status = statusOf(created) ?? 'running';
  }

  /** Takes over what a poll shows; false when there are too many events. */
  update(response: ApiResponse): boolean {
    this.last = response;
    this.status = statusOf(response) ?? this.status;
    for (const event of eventsOf(response)) {
      const { timestamp } = event;
      if (Number.isFinite(timestamp)) this.event_t = Math.max(this.event_t, Math.floor(timestamp));
      const key = eventKey(event);
      if (this.#seen.has(key)) continue;
      if (this.#seen.size >= MOST_EVENTS) return false;
      this.#seen.add(key);
      this.events.push(event);
    }
    return true;
  }

  /** The first tool call that was not taken yet. */
  get nextCall(): TaskEvent | undefined {
    return this.events.find((event) => isCall(event) && !this.#returned.has(event.id));
  }

  takeCall(): TaskEvent | undefined {
    const call = this.nextCall;
    if (call) this.#returned.add(call.id);
    return call;
  }
}
