import { isTerminal } from '../../../spec/vocabulary.js';
import { perform } from './agent.js';
import { cancel, setAddress, settle } from './lifecycle.js';
import type { Task } from './task.js';

/**
 * Processes everything of a task that depends on time alone, then its timelines. Due work only names the task and its
 * time, so that it can be kept in a snapshot.
 */
export function processDueWork(task: Task): void {
  const before = task.version;
  look(task);
  if (task.version !== before) task.organisation.changed();
}

function look(task: Task): void {
  const { now } = task.organisation;
  settle(task);
  if (isTerminal(task.status)) {
    if (task.runs.length > 0) perform(task);
    return;
  }
  if (task.starts_at !== null && task.starts_at <= now) {
    task.starts_at = null;
    task.status = 'running';
    task.version++;
  }
  if (task.live_at !== null && task.live_at <= now) {
    task.live_at = null;
    setAddress(task, 'live_url', 'auto');
  }
  task.organisation.network.steps.reissue(task);
  perform(task);
  keepDeadlines(task);
}

/**
 * Time-outs are planned only if the task is not processed earlier anyway: most tasks end long before, and unused due
 * work costs memory.
 *
 * Idle and total time-outs (dialect `session.idle-timeout`, `session.total-timeout`, `task.total-timeout`; 0 is none).
 */
export function keepDeadlines(task: Task): void {
  const { organisation } = task;
  const { dialect } = organisation;
  const total = Number(dialect[task.session ? 'session.total-timeout' : 'task.total-timeout'] ?? 0);
  const idle = task.session ? Number(dialect['session.idle-timeout'] ?? 0) : 0;
  const last = total > 0 ? task.created_at + total : Infinity;
  const idleUntil = idle > 0 ? task.touched_at + idle : Infinity;
  const first = Math.min(last, idleUntil);
  if (first === Infinity || isTerminal(task.status)) return;
  // A clock that jumps would jump from one time-out to the next: with it, every reader of the task calls this.
  const { jumps } = organisation.clock;
  if (organisation.now >= first) {
    cancel(task, first === last ? 'failed' : 'cancelled');
  } else if (
    !jumps &&
    (task.look_planned === null || task.look_planned <= organisation.now || task.look_planned > first)
  ) {
    task.look_planned = first;
    organisation.plan(first, task);
  }
}
