import { recordPoll } from '../../../mock/engine/tasks/client-events.js';
import { settle } from '../../../mock/engine/tasks/lifecycle.js';
import type { Task } from '../../../mock/engine/tasks/task.js';
import { formatTask } from '../../../mock/engine/tasks/view.js';

/** What a poll brings a client: the payloads of the events after the last it saw. */
export function poll(task: Task) {
  const events = task.log.listAfter(task.shown);
  recordPoll(task, task.shown, events.at(-1)?.timestamp ?? 0);
  return events.map((event) => event.payload);
}

/** Id of the call that came last. */
export const findLastCall = (task: Task) => [...(task.calls?.keys() ?? [])].at(-1)!;

/** The task as the API shows it. */
export function viewTask(task: Task) {
  settle(task);
  return JSON.parse(formatTask(task, 'null'));
}
