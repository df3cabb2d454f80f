import { readRetryAfterMs } from '../../spec/retry-after.js';
import { isTerminal } from '../../spec/vocabulary.js';
import type { Organisation } from '../engine/organisation.js';
import type { Task } from '../engine/tasks/task.js';

/** Most jumps for one poll: a timeline without news must not block the poll forever. */
const MOST_JUMPS = 10_000;
/** Assumed pause of a client between two requests, ms: the shortest recommended one. */
const PAUSE_MS = 500;
/**
 * Clients may discard their first read at a position and repeat it: from the third read on, it counts as a
 * poll in vain.
 */
const READS_OF_A_POSITION = 2;

/**
 * Moves a clock that jumps, before a poll from `event_t` gets its response.
 *
 * The invariant: a jump has the same effect as a pause of the client, and no more. The response is the one
 * that the same poll would have got later, at the first moment at which it returns something new. So a clock
 * jumps
 * - only if this poll, from its own `event_t`, would return nothing that was not there at its last read of
 *   that position;
 * - to the next due work, never past the changes that this poll would return;
 * - not while a client needs the time: a client that is busy with another request or an open tool call, a
 *   reader of another task with news, or a reader of the last event of a task, which can be read with a 202
 *   before the end (`isJumpBlocked`).
 *
 * In these cases an `eager` clock follows the wall clock, and a `skipping` clock advances by the pause of a
 * client for each poll: it never stops for a client that polls.
 */
export function skipIdleTime(task: Task, event_t: number): void {
  const { organisation } = task;
  if (organisation.inFlight > 1 || organisation.locks > 0) return;
  for (let jumps = 0; jumps < MOST_JUMPS; jumps++) {
    if (hasNews(task, event_t)) return;
    if (isTerminal(task.status) && task.recording_at === null && task.runs.length === 0) return;
    if (isJumpBlocked(task) || organisation.schedule.next() === Infinity) {
      // The state after the jump has to last as long as a pause of the client, too.
      if (jumps === 0) pause(organisation);
      return;
    }
    organisation.advanceToNext();
  }
}

/** True if a poll from `event_t` would return something new compared with the last response from there. */
function hasNews({ readings, version, log, organisation }: Task, event_t: number): boolean {
  const reading = readings?.get(event_t);
  if (reading?.version !== version) return true;
  if (log.last <= event_t) return false;
  return organisation.clock.mode === 'eager' || reading.times < READS_OF_A_POSITION;
}

/** True if time has to pass as it does for a client that pauses between its requests. */
function isJumpBlocked(task: Task): boolean {
  const { polled, network } = task.organisation;
  // A held step waits for a condition other than time: a jump would only reach its `at_most_ms`.
  if (isClientBusy(task) || network.steps.isHolding(task)) return true;
  for (const other of polled) {
    if (isTerminal(other.status)) polled.delete(other);
    else if (other.withheld_since !== null) return true;
    else if (other !== task && other.version !== other.shown_version) return true;
  }
  return false;
}

function isClientBusy(task: Task): boolean {
  if (!task.calls || isTerminal(task.status)) return false;
  for (const [id, call] of task.calls) {
    if (!call.reply && (task.log.find(id)?.timestamp ?? Infinity) <= task.shown) return true;
  }
  return false;
}

/**
 * Advances by the pause of a client, or less up to the next due work. A clock that follows the wall clock
 * needs no help.
 */
function pause(organisation: Organisation, most_ms = PAUSE_MS): void {
  const { clock, now, schedule, locks } = organisation;
  if (clock.mode !== 'skipping' || locks > 0) return;
  organisation.advanceTo(Math.max(now, Math.min(now + most_ms, schedule.next())));
}

/**
 * A client that repeats a read (the list of tasks, a chat) with no other request in between waits for time.
 * Only polls of a task record what they returned, so the clock advances by the pause of a client.
 */
export function pauseAfterRepeatedRead(organisation: Organisation, method: string, url: string): void {
  const isRepeated = organisation.lastRead === url;
  organisation.lastRead = method === 'GET' || method === 'HEAD' ? url : undefined;
  if (isRepeated && organisation.inFlight <= 1) pause(organisation);
}

/** After a request that may succeed later the client pauses: for the given time, else for its usual pause. */
export function pauseAfterRefusal(
  organisation: Organisation,
  status: number,
  retryAfter: string | undefined,
): void {
  if (status !== 0 && status !== 429 && status < 500) return;
  const until = organisation.now + (readRetryAfterMs(retryAfter, organisation.now) ?? PAUSE_MS);
  if (organisation.clock.mode === 'skipping' && organisation.locks === 0) organisation.advanceTo(until);
}
