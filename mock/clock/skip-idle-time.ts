import { isTerminal } from '../../spec/vocabulary.js';
import type { Organisation } from '../engine/organisation.js';
import type { Task } from '../engine/tasks/task.js';

/** Most jumps for one poll: a timeline that never brings news must not hold the poll for ever. */
const MOST_JUMPS = 10_000;

/**
 * A clock that jumps: when a poll would learn nothing new and nobody is busy, time jumps to the next thing that happens.
 * Busy is another request under way, or a client that has been given a tool call and has not replied yet.
 */
export function skipIdleTime(organisation: Organisation, taskId: string): void {
  const { world } = organisation;
  const task = world.tasks.get(taskId);
  if (!task || organisation.inFlight > 1 || organisation.locks > 0) return;
  for (let jumps = 0; jumps < MOST_JUMPS; jumps++) {
    if (task.version !== task.shown_version || clientIsBusy(task)) return;
    if (isTerminal(task.status) && task.recording_at === null && task.runs.length === 0) return;
    // A step that is held for something else: time alone would only make it give up.
    if (organisation.network.steps.isHolding(task)) return;
    if (!world.advanceToNext()) return;
  }
}

function clientIsBusy(task: Task): boolean {
  if (!task.calls || isTerminal(task.status)) return false;
  for (const [id, call] of task.calls) {
    if (!call.reply && (task.log.find(id)?.timestamp ?? Infinity) <= task.shown) return true;
  }
  return false;
}
