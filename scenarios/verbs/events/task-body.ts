import type { TaskEvent } from '../../../spec/vocabulary.js';
import type { Effect, ResponseFacts } from '../verb.js';

/** A task in a response. */
export type TaskBody = Record<string, unknown> & { events?: unknown };

/**
 * Puts another task into the body of a response; undefined where the response is not about a task, or `change` finds nothing to
 * change.
 */
export function changeTask(
  { status, body, fault }: ResponseFacts,
  what: string,
  change: (task: TaskBody, events: TaskEvent[]) => TaskBody | undefined,
): Effect | undefined {
  if (fault || typeof body !== 'string' || (status !== 200 && status !== 202)) return undefined;
  const whole = parse(body);
  const task = whole?.r as TaskBody | null | undefined;
  if (task === null || typeof task !== 'object' || typeof task.status !== 'string') return undefined;
  const changed = change(task, Array.isArray(task.events) ? task.events : []);
  return changed && { note: `response with ${what}`, body: JSON.stringify({ ...whole, r: changed }) };
}

function parse(body: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(body) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}
