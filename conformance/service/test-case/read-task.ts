import type { TaskEvent } from '../../../spec/vocabulary.js';
import { readField, show, showDifference, toFields } from '../../conversation/json.js';
import type { ApiResponse } from '../http-client/response.js';
import type { KeyName } from './test-case.js';

/** What the player reads from responses. Tolerant: whatever cannot be read is left out, rules say what is wrong with it. */

/** Id of the task in a response; undefined when there is none. */
export function readTaskId(response: ApiResponse): string | undefined {
  const id = response.ok ? readField(response.r, 'id') : undefined;
  return typeof id === 'string' && id !== '' ? id : undefined;
}

/** Status of the task in a response, whatever text it is. */
export function readStatus(response: ApiResponse): string | undefined {
  const status = response.ok ? readField(response.r, 'status') : undefined;
  return typeof status === 'string' ? status : undefined;
}

/** Events in the response to a poll that have an id; none where the field is absent or null. */
export function readEvents(response: ApiResponse): TaskEvent[] {
  const events = response.ok ? readField(response.r, 'events') : undefined;
  return Array.isArray(events) ? events.filter((event) => typeof readField(event, 'id') === 'string') : [];
}

/** A call of a tool; not the reply to one, which a service may list as well. */
export function isCall(event: TaskEvent): boolean {
  return event.name === 'tool_call' && !hasField(event, 'code');
}

/** The result of the action of that id; not the action itself, which a service may list as well. */
export function isActionResult(event: TaskEvent, action: string): boolean {
  if (event.id !== action) return false;
  return (
    hasField(event, 'code') ||
    hasField(event, 'output') ||
    typeof readField(event.payload, 'name') !== 'string'
  );
}

/** Events may share an id only where one responses the other: a call and the reply to it, an action and its result. */
export function createEventKey(event: TaskEvent): string {
  return JSON.stringify([event.id, hasField(event, 'code') || hasField(event, 'output')]);
}

/** The result's code and output; undefined what is missing. */
export function readCode(event: TaskEvent): unknown {
  return readField(event.payload, 'code');
}

/**
 * For messages, how an event that is missing came otherwise: under its id, in a form in which it is not the same call, result or reply.
 * Undefined where none with its id is there.
 */
export function describeMismatch(there: readonly TaskEvent[], event: TaskEvent): string | undefined {
  const others = there.filter(({ id }) => id === event.id);
  if (others.length === 0) return undefined;
  const [expected, came] = showDifference(event.payload, others.at(-1)!.payload);
  return `an event with the id ${show(event.id)} came with another payload: expected ${expected}, got ${came}`;
}

/** Events of one task that are kept. A service that lists more is not followed any further. */
export const MOST_EVENTS = 50_000;

/** A task or session that a case has created, as far as its polls have shown it. */
export class TaskHandle {
  /** All events that were read, in the order in which they came. */
  readonly events: TaskEvent[] = [];
  /** Largest timestamp read: the next `event_t`. */
  event_t = 0;
  /** Timestamp of the last event that was sent. */
  sent_t = 0;
  /** The newest response to a poll; the creation before the first. */
  last: ApiResponse;
  /** Status as last seen. */
  status: string;
  isCancelled = false;
  /** The first response to an event that was a server error: what is missing afterwards may follow from it. */
  serverError: ApiResponse | undefined;
  /** The first response in which a field had a value. */
  readonly #shown = new Map<string, ApiResponse>();
  readonly #seen = new Set<string>();
  readonly #returned = new Set<string>();

  constructor(
    readonly id: string,
    readonly key: KeyName,
    readonly created: ApiResponse,
  ) {
    this.last = created;
    this.#remember(created);
    this.status = readStatus(created) ?? 'running';
  }

  /** Takes over what a poll shows; false when there are too many events. */
  update(response: ApiResponse): boolean {
    this.last = response;
    this.#remember(response);
    this.status = readStatus(response) ?? this.status;
    for (const event of readEvents(response)) {
      const { timestamp } = event;
      if (Number.isFinite(timestamp)) this.event_t = Math.max(this.event_t, Math.floor(timestamp));
      const key = createEventKey(event);
      if (this.#seen.has(key)) continue;
      if (this.#seen.size >= MOST_EVENTS) return false;
      this.#seen.add(key);
      this.events.push(event);
    }
    return true;
  }

  /** For messages, what a field is that should be otherwise, and what it was before. */
  compare(name: string, response: ApiResponse): string {
    const value = readField(response.r, name);
    const before = this.#shown.get(name);
    if (!before || (value ?? '') !== '') return `got ${show(value)}`;
    return `it was ${show(readField(before.r, name))} in exchange ${before.seq} and is ${show(value)}`;
  }

  #remember(response: ApiResponse): void {
    for (const [name, value] of Object.entries((response.ok && toFields(response.r)) || {}))
      if ((value ?? '') !== '' && !this.#shown.has(name)) this.#shown.set(name, response);
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

function hasField(event: TaskEvent, name: string): boolean {
  return readField(event.payload, name) !== undefined;
}
