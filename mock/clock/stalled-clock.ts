import type { Organisation } from '../engine/organisation.js';
import type { Task } from '../engine/tasks/task.js';

/** A clock that has stood for so long, ms of real time, is not about to be moved by a test that polls by hand. */
const STOOD_MS = 1000;
/** Polls that learn nothing, after which a conversation that is told anyway ends with the hint. */
const WORTH_A_HINT = 2;

/**
 * Finds out that a client in real time polls a mock whose clock is manual: it would wait for ever, and nothing would say
 * why. Told once for each mock.
 */
export class StalledClock {
  /** True while somebody who moves the clock has the clients in hand. */
  isDriven = false;
  #isTold = false;

  constructor(
    private readonly isManual: boolean,
    private readonly tell: (organisation: Organisation, hint: string) => void,
  ) {}

  /** The task has been polled many times in vain. */
  polledInVain(organisation: Organisation, task: Task): void {
    if (this.#isTold || !this.#standsStill(organisation, task)) return;
    this.#isTold = true;
    this.tell(organisation, hintOf(task));
  }

  /** What to tell where a conversation with this organisation is told: undefined where nothing stands still. */
  hintFor(organisation: Organisation): string | undefined {
    for (const task of organisation.world.tasks.values())
      if (task.vain_polls >= WORTH_A_HINT && this.#standsStill(organisation, task)) return hintOf(task);
    return undefined;
  }

  #standsStill({ world }: Organisation, task: Task): boolean {
    const { clock } = world.setup;
    // One that was paused, or made manual later, has somebody who thinks of it.
    if (!this.isManual || clock.mode !== 'manual' || this.isDriven || clock.stoodFor() < STOOD_MS)
      return false;
    // Since the last poll somebody may have moved it.
    return task.touched_at === world.now && waitsForTime(task, world.now);
  }
}

/** What it waits for comes with time, not with what the client does. */
function waitsForTime(task: Task, now: number): boolean {
  if (task.starts_at !== null) return true;
  return task.runs.some(({ due, side }) => due > now || side.some((step) => (step.due ?? 0) > now));
}

function hintOf({ id, vain_polls }: Task): string {
  return `this mock's clock is manual, and a client has polled task ${id} ${vain_polls + 1} times without it moving: run the client in mock.time.run(() => …), move the clock with mock.clock.advance(ms) (over HTTP: POST /__admin/clock), or make the mock with { clock: 'real' }`;
}

/** Where nobody listens to notes: a warning of the process, and in a browser one on the console. */
export function warn(hint: string): void {
  const { process } = globalThis as { process?: Partial<NodeJS.Process> };
  if (typeof process?.emitWarning === 'function') process.emitWarning(hint, WARNING);
  else console.warn(`taskdouble: ${hint}`);
}

/** The code is for `node --disable-warning`. */
const WARNING = { type: 'TaskdoubleWarning', code: 'TASKDOUBLE_STALLED_CLOCK' };
