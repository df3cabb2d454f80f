import { summarizeTask, type TaskSummary } from '../control/views.js';
import type { Organisation } from '../engine/organisation.js';
import { AdminError, toWire, type Wire } from './admin-request.js';

const DEFAULT_LIMIT = 200;

/** Newest first; after the task `before`, where it is given. Throws AdminError with 404 where there is no such task. */
export function listTasks(
  organisations: readonly Organisation[],
  limit = DEFAULT_LIMIT,
  before?: string,
): { tasks: Wire<TaskSummary>[]; more: boolean } {
  const all = organisations
    .flatMap(({ tasks }) => [...tasks.values()])
    .reverse()
    .sort((one, other) => other.created_at - one.created_at);
  const last = before === undefined ? -1 : all.findIndex(({ id }) => id === before);
  if (before !== undefined && last === -1) throw new AdminError(404, 'before: there is no such task.');
  const page = all.slice(last + 1, last + 1 + limit);
  return { tasks: page.map((task) => toWire(summarizeTask(task))), more: last + 1 + limit < all.length };
}
