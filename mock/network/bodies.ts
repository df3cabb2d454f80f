import type { NetworkRule } from '../../scenarios/format/types.js';
import type { TaskEvent } from '../../spec/vocabulary.js';
import type { Task } from '../engine/tasks/task.js';
import type { WireResponse } from '../pipeline/wire.js';

/**
 * What the service puts into its answers about a task that it should not, or need not. Each gives undefined where there
 * is nothing for it to change: no events, no answer about a task.
 */

type Reshape = Extract<NetworkRule, { network: 'reshape' }>;
/** The task as it stands in the answer. */
type Shown = Record<string, unknown> & { events?: unknown };

/** All events from the beginning, those that the client has had before too, or the `first` of these. */
export function redelivered(
  task: Task | undefined,
  response: WireResponse,
  first?: number,
): WireResponse | undefined {
  return change(response, (shown) => {
    const events = eventsOf(shown);
    // What has come about since the answer was made is no part of it.
    const until = events.at(-1)?.timestamp ?? task?.shown ?? 0;
    const there = new Set(events.map(keyOf));
    const earlier = (task?.log.all() ?? [])
      .slice(0, first)
      .filter((event) => event.timestamp <= until && !there.has(keyOf(event)));
    return earlier.length === 0 ? undefined : { ...shown, events: [...earlier, ...events] };
  });
}

export function repeated(response: WireResponse): WireResponse | undefined {
  return change(response, (shown) => {
    const events = eventsOf(shown);
    return events.length === 0 ? undefined : { ...shown, events: events.flatMap((event) => [event, event]) };
  });
}

export function shuffled(response: WireResponse): WireResponse | undefined {
  return change(response, (shown) => {
    const events = eventsOf(shown);
    return events.length < 2 ? undefined : { ...shown, events: [...events].reverse() };
  });
}

export function reshaped({ events: form, extra }: Reshape, response: WireResponse): WireResponse | undefined {
  return change(response, (shown) => {
    const changed = form === undefined ? undefined : withoutEvents(form, shown);
    if (extra === undefined) return changed;
    const { events, ...rest } = changed ?? shown;
    const listed = Array.isArray(events) ? events.map((event) => ({ ...event, ...extra })) : events;
    return { ...rest, ...extra, ...(events === undefined ? {} : { events: listed }) };
  });
}

/** Undefined where there are events, or it says so in this form already. */
function withoutEvents(form: 'absent' | 'empty' | null, shown: Shown): Shown | undefined {
  const { events, ...rest } = shown;
  if (Array.isArray(events) && events.length > 0) return undefined;
  if (form === 'absent') return events === undefined ? undefined : rest;
  if (form === null) return events === null ? undefined : { ...rest, events: null };
  return Array.isArray(events) ? undefined : { ...rest, events: [] };
}

function change(
  response: WireResponse,
  how: (shown: Shown) => Record<string, unknown> | undefined,
): WireResponse | undefined {
  if (response.fault || typeof response.body !== 'string') return undefined;
  if (response.status !== 200 && response.status !== 202) return undefined;
  const body = parse(response.body);
  const shown = body?.r as Shown | null | undefined;
  if (shown === null || typeof shown !== 'object' || typeof shown.status !== 'string') return undefined;
  const changed = how(shown);
  return changed && { ...response, body: JSON.stringify({ ...body, r: changed }) };
}

function parse(body: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(body) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

function eventsOf({ events }: Shown): TaskEvent[] {
  return Array.isArray(events) ? (events as TaskEvent[]) : [];
}

function keyOf({ id, timestamp }: TaskEvent): string {
  return `${timestamp} ${id}`;
}
