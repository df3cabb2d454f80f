import { isTerminal } from '../../spec/vocabulary.js';
import type { Organisation } from '../engine/organisation.js';
import type { Task } from '../engine/tasks/task.js';

/** Most jumps for one poll: a timeline without news must not block the poll forever. */
const MOST_JUMPS = 10_000;

/**
 * Moves a skipping clock: when a poll would learn nothing new and no client is busy, time jumps to the next due work.
 * A client is busy while another of its requests is under way, or while it has an open tool call.
 */
export function skipIdleTime(organisation: Organisation, taskId: string): void {
  const task = organisation.tasks.get(taskId);
  if (!task || organisation.inFlight > 1 || organisation.locks > 0) return;
  for (let jumps = 0; jumps < MOST_JUMPS; jumps++) {
    if (task.version !== task.shown_version || clientIsBusy(task)) return;
    if (isTerminal(task.status) && task.recording_at === null && task.runs.length === 0) return;
    // A held step waits for something other than time: a jump would only run into its `at_most_ms`.
    if (organisation.network.steps.isHolding(task)) return;
    if (!organisation.advanceToNext()) return;
  }
}

function clientIsBusy(task: Task): boolean {
  if (!task.calls || isTerminal(task.status)) return false;
  for (const [id, call] of task.calls) {
    if (!call.reply && (task.log.find(id)?.timestamp ?? Infinity) <= task.shown) return true;
  }
  return false;
}
