import { recordPoll } from '../../../mock/engine/tasks/client-events.js';
import { settle } from '../../../mock/engine/tasks/lifecycle.js';
import type { Task } from '../../../mock/engine/tasks/task.js';
import { formatTask } from '../../../mock/engine/tasks/view.js';

/** The payloads of new events, as a poll returns them. */
export function poll(task: Task) {
  const events = task.log.listAfter(task.shown);
  recordPoll(task, task.shown, events.at(-1)?.timestamp ?? 0);
  return events.map((event) => event.payload);
}

export const findLastCall = (task: Task) => [...(task.calls?.keys() ?? [])].at(-1)!;

/** The task as the API shows it. */
export function viewTask(task: Task) {
  settle(task);
  return JSON.parse(formatTask(task, 'null'));
}
