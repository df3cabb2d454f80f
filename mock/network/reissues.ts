import type { ServiceStep } from '../../scenarios/format/types.js';
import type { TaskEvent } from '../../spec/vocabulary.js';
import type { Task } from '../engine/tasks/task.js';
import type { Scope } from './rule.js';

/**
 * The event of the step `id` when it is time for it to come again: a call has been replied to, any other event has been
 * in an answer to a poll. Undefined before.
 */
export function toReissue({ task, run }: Scope, id: string): TaskEvent | undefined {
  if (!run.happened.has(id)) return undefined;
  const step = run.steps.find((each) => each.id === id);
  if (!step || !('service' in step)) return undefined;
  const event = eventOf(task, run.ids, step, id);
  if (!event) return undefined;
  const call = task.calls?.get(event.id);
  const isTime = call ? call.reply !== undefined : event.timestamp <= task.shown;
  return isTime ? event : undefined;
}

/** Where the service lists what the client sent, replies come after their calls and actions before their results. */
function eventOf(
  { log }: Task,
  ids: Readonly<Record<string, string>>,
  step: ServiceStep,
  id: string,
): TaskEvent | undefined {
  if (step.service === 'result') {
    const wanted = ids[step.to] ?? step.to;
    return log.all().findLast((event) => event.id === wanted);
  }
  const wanted = ids[id];
  return wanted === undefined ? undefined : log.find(wanted);
}
