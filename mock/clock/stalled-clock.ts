import type { Organisation } from '../engine/organisation.js';
import type { Task } from '../engine/tasks/task.js';

/** A manual clock counts as stalled after this time, ms of real time. */
const STALLED_AFTER_MS = 1000;
/** Polls without news after which a printed conversation ends with the hint. */
const POLLS_BEFORE_HINT = 2;

/**
 * Detects a client in real time that polls a mock with a manual clock: without a hint, it would wait forever.
 * Reported once per mock.
 */
export class StalledClock {
  /** True while a run or a helper of the mock moves the clock. */
  isControlled = false;
  #isReported = false;

  constructor(
    private readonly isManual: boolean,
    private readonly report: (organisation: Organisation, hint: string) => void,
  ) {}

  /** Called when a task was polled many times without news. */
  reportIfStalled(organisation: Organisation, task: Task): void {
    if (this.#isReported || !this.#isStalled(organisation, task)) return;
    this.#isReported = true;
    this.report(organisation, formatHint(task));
  }

  /** The hint to print below a conversation with this organisation; undefined if its clock is not stalled. */
  findHint(organisation: Organisation): string | undefined {
    for (const task of organisation.tasks.values())
      if (task.vain_polls >= POLLS_BEFORE_HINT && this.#isStalled(organisation, task))
        return formatHint(task);
    return undefined;
  }

  #isStalled(organisation: Organisation, task: Task): boolean {
    const { clock } = organisation;
    // If a test paused the clock or made it manual later, the test moves it.
    if (
      !this.isManual ||
      clock.mode !== 'manual' ||
      this.isControlled ||
      clock.measureStall() < STALLED_AFTER_MS
    )
      return false;
    // The test may have moved it since the last poll.
    return task.touched_at === organisation.now && isWaitingForTime(task, organisation.now);
  }
}

/** True if the task waits for time, not for an action of the client. */
function isWaitingForTime(task: Task, now: number): boolean {
  if (task.starts_at !== null) return true;
  return task.runs.some(({ due, side }) => due > now || side.some((step) => (step.due ?? 0) > now));
}

function formatHint({ id, vain_polls }: Task): string {
  return `this mock's clock is manual, and a client has polled task ${id} ${vain_polls + 1} times without it moving: run the client in mock.time.run(() => …), move the clock with mock.clock.advance(ms) (over HTTP: POST /__admin/clock), or make the mock with { clock: 'real' }`;
}

/** Reports a hint if no listener is set: as a process warning, in a browser on the console. */
export function warn(hint: string): void {
  const { process } = globalThis as { process?: Partial<NodeJS.Process> };
  if (typeof process?.emitWarning === 'function') process.emitWarning(hint, WARNING);
  else console.warn(`taskdouble: ${hint}`);
}

/** The code is for `node --disable-warning`. */
const WARNING = { type: 'TaskdoubleWarning', code: 'TASKDOUBLE_STALLED_CLOCK' };
