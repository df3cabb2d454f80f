import type { TaskEvent } from '../../../spec/vocabulary.js';
import { field } from '../../conversation/json.js';
import type { ApiResponse } from '../http-client/response.js';

/** What the player reads from responses. Tolerant: whatever cannot be read is left out, rules say what is wrong with it. */

export function isActive(status: string): boolean {
  return status === 'waiting' || status === 'running';
}

/** Id of the task in an response; undefined when there is none. */
export function idOf(response: ApiResponse): string | undefined {
  const id = response.ok ? field(response.r, 'id') : undefined;
  return typeof id === 'string' && id !== '' ? id : undefined;
}

/** Status of the task in an response, whatever text it is. */
export function statusOf(response: ApiResponse): string | undefined {
  const status = response.ok ? field(response.r, 'status') : undefined;
  return typeof status === 'string' ? status : undefined;
}

/** Events in the response to a poll that have an id; none where the field is absent or null. */
export function eventsOf(response: ApiResponse): TaskEvent[] {
  const events = response.ok ? field(response.r, 'events') : undefined;
  return Array.isArray(events) ? events.filter((event) => typeof field(event, 'id') === 'string') : [];
}

/** A call of a tool; not the reply to one, which a service may list as well. */
export function isCall(event: TaskEvent): boolean {
  return event.name === 'tool_call' && !has(event, 'code');
}

/** The result of the action of that id; not the action itself, which a service may list as well. */
export function isResultOf(event: TaskEvent, action: string): boolean {
  if (event.id !== action) return false;
  return has(event, 'code') || has(event, 'output') || typeof field(event.payload, 'name') !== 'string';
}

/** Events may share an id only where one responses the other: a call and the reply to it, an action and its result. */
export function eventKey(event: TaskEvent): string {
  return JSON.stringify([event.id, has(event, 'code') || has(event, 'output')]);
}

/** The result's code and output; undefined what is missing. */
export function codeOf(event: TaskEvent): unknown {
  return field(event.payload, 'code');
}

function has(event: TaskEvent, name: string): boolean {
  return field(event.payload, name) !== undefined;
}
