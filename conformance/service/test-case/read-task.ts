import type { TaskEvent } from '../../../spec/vocabulary.js';
import { readField, show, showDifference, toFields } from '../../conversation/json.js';
import type { ApiResponse } from '../http-client/response.js';
import type { KeyName } from './test-case.js';

/** Tolerant readers for task responses: unreadable values are skipped, since rules report them. */

export function readTaskId(response: ApiResponse): string | undefined {
  const id = response.ok ? readField(response.r, 'id') : undefined;
  return typeof id === 'string' && id !== '' ? id : undefined;
}

export function readStatus(response: ApiResponse): string | undefined {
  const status = response.ok ? readField(response.r, 'status') : undefined;
  return typeof status === 'string' ? status : undefined;
}

/** The maximum length of a list of tasks. Section "Limits". */
export const LONGEST_LIST = 128;

/** The record with this id in a list. */
export function findListed({ r }: ApiResponse, id: string): unknown {
  return Array.isArray(r) ? r.find((each) => readField(each, 'id') === id) : undefined;
}

/** Events with an id from a poll; empty if the field is absent or null. */
export function readEvents(response: ApiResponse): TaskEvent[] {
  const events = response.ok ? readField(response.r, 'events') : undefined;
  return Array.isArray(events) ? events.filter((event) => typeof readField(event, 'id') === 'string') : [];
}

/** A tool call, not the reply to one: a service may list both. */
export function isCall(event: TaskEvent): boolean {
  return event.name === 'tool_call' && !hasField(event, 'code');
}

/** The result of the action with that id, not the action itself: a service may list both. */
export function isActionResult(event: TaskEvent, action: string): boolean {
  if (event.id !== action) return false;
  return (
    hasField(event, 'code') ||
    hasField(event, 'output') ||
    typeof readField(event.payload, 'name') !== 'string'
  );
}

/** Only a call and its reply, or an action and its result, may share an id. */
export function createEventKey(event: TaskEvent): string {
  return JSON.stringify([event.id, hasField(event, 'code') || hasField(event, 'output')]);
}

/** The output of an action, alone or in an object with its cost (open point `event.result-shape`). */
export function readOutput(result: TaskEvent | undefined): unknown {
  const output = readField(result?.payload, 'output');
  return readField(output, 'output') ?? output;
}

export function readCode(event: TaskEvent): unknown {
  return readField(event.payload, 'code');
}

/** Describes, for messages, events that have the id of the missing event but another form. Undefined if there is none. */
export function describeMismatch(there: readonly TaskEvent[], event: TaskEvent): string | undefined {
  const others = there.filter(({ id }) => id === event.id);
  if (others.length === 0) return undefined;
  const [expected, actual] = showDifference(event.payload, others.at(-1)!.payload);
  return `an event with the id ${show(event.id)} has another payload: expected ${expected}, got ${actual}`;
}

/** Events kept per task. Polling ends for a service that lists more. */
export const MOST_EVENTS = 50_000;

/** A task or session that a case created, with the state that its polls showed. */
export class TaskHandle {
  /** All events read, in order of arrival. */
  readonly events: TaskEvent[] = [];
  /** Largest timestamp read: the next `event_t`. */
  event_t = 0;
  /** Timestamp of the last event sent. */
  sent_t = 0;
  /** The latest poll; the creation before the first one. */
  last: ApiResponse;
  /** The latest status. */
  status: string;
  isCancelled = false;
  /** The first server error in response to an event: it may explain missing events later. */
  serverError: ApiResponse | undefined;
  /** The last confirmed reply that the agent has to go on with. */
  lastReply: string | undefined;
  /** The first response in which each field had a value. */
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

  /** Applies a poll; false if there are too many events. */
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

  /** Describes the current and the earlier value of a field, for messages. */
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

  /** The first tool call that was not handled yet. */
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
