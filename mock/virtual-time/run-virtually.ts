import { type Work, workUnderWay } from './background-work.js';
import { CrashWatch } from './crash-watch.js';
import { nextTurn, real, setActiveClock } from './platform.js';
import { prepareVirtualTime } from './prepare.js';
import { RealTimers } from './real-timers.js';
import { Course } from './time-policy.js';
import { VirtualClock } from './virtual-clock.js';
import { Answers, Handed, type VirtualOptions, type VirtualOutcome, type VirtualRun } from './virtual-run.js';

export { prepareVirtualTime } from './prepare.js';
export type { VirtualOptions, VirtualOutcome, VirtualRun } from './virtual-run.js';

/**
 * Turns of the loop without anything new after which a client is taken to wait where it has something open: a socket of
 * its own say, whose bytes take turns that nothing tells of. With nothing open, all that a turn began has ended with it.
 */
const QUIET_TURNS_IF_OPEN = 3;
/** The same while it keeps setting immediates. */
const QUIET_IMMEDIATES = 200;
/** Longest that one run may be at work without time, files and compression say, ms of real time. */
const LONGEST_WORK_MS = 10_000;
/** Why the signal of a run is aborted. */
const OVER = new DOMException('The run is over.', 'AbortError');
/** Turns that leftovers of a run get to come to a halt, where there are any. */
const LAST_TURNS = 3;

let last: Promise<unknown> = Promise.resolve();

/**
 * Runs `client` on a time of its own, which it shares with the service: whenever it can do nothing more, time moves to the
 * next thing that is due, the service first. Never rejects. One run at a time in a process: a second one waits for
 * the first.
 */
export function runVirtually<T>(
  client: (run: VirtualRun) => T | Promise<T>,
  options: VirtualOptions,
): Promise<VirtualOutcome<T>> {
  const outcome = last.then(() => new Play(client, options).play());
  last = outcome;
  return outcome;
}

class Play<T> {
  readonly #clock: VirtualClock;
  /** Made only for those who ask: it costs more than all the rest of a short run. */
  #over: AbortController | undefined;
  readonly #crash = new CrashWatch();
  readonly #realTimers = new RealTimers();
  #outcome: Omit<VirtualOutcome<T>, 'at'> | undefined;
  readonly #course: Course;
  /** ms of real time that the client has been at work without virtual time. */
  #worked_ms = 0;
  readonly #answers = new Answers();
  /** The client waits for a timer of the platform's own, which it remembered before there were stand-ins. */
  #waitsForReal = false;
  #before = workUnderWay();

  constructor(
    private readonly client: (run: VirtualRun) => T | Promise<T>,
    private readonly options: VirtualOptions,
  ) {
    const { service, start_ms = service.now() } = options;
    this.#clock = new VirtualClock(start_ms);
    this.#course = new Course(service, options.patience, start_ms);
  }

  async play(): Promise<VirtualOutcome<T>> {
    const takeAway = prepareVirtualTime();
    this.#crash.watch((error) => this.#end({ ended: 'by-itself', error, unhandled: true }));
    setActiveClock(this.#clock);
    this.#realTimers.watch();
    try {
      this.#start();
      let isCalm = false;
      while (!this.#outcome) {
        if (!isCalm) await this.#untilCalm();
        if (!this.#outcome) isCalm = await this.#moveOn();
      }
      const at = this.#clock.now;
      this.#clock.close();
      this.#answers.isOver = true;
      this.#over?.abort(OVER);
      await this.#untilLeft();
      return { ...this.#outcome, at };
    } finally {
      this.#clock.close();
      setActiveClock(undefined);
      this.#realTimers.stop();
      this.#crash.stop();
      takeAway();
    }
  }

  #start(): void {
    const run = new Handed(
      () => {
        this.#over ??= new AbortController();
        return this.#over.signal;
      },
      (fetch) => this.#answers.connect(fetch),
    );
    // Not awaited here: a function that throws at once has thrown like any other.
    const settled = (async () => this.client(run))();
    settled.then(
      (value) => this.#end({ ended: 'by-itself', value, unhandled: false }),
      (error) => this.#end({ ended: 'by-itself', error, unhandled: false }),
    );
  }

  #end(outcome: Omit<VirtualOutcome<T>, 'at'>): void {
    this.#outcome ??= outcome;
  }

  /** Lets the client do all that it can do at this time. */
  async #untilCalm(): Promise<void> {
    let seen = this.#activity();
    let quiet = 0;
    for (;;) {
      await nextTurn();
      if (this.options.signal?.aborted) this.#end({ ended: 'aborted', unhandled: false });
      if (this.#outcome) return;
      const activity = this.#activity();
      quiet = activity === seen ? quiet + 1 : 0;
      seen = activity;
      if (this.#course.isHurried()) return;
      const work = workUnderWay();
      if (work.open > this.#before.open && quiet < QUIET_TURNS_IF_OPEN) continue;
      if (work.immediates > this.#before.immediates && quiet < QUIET_IMMEDIATES) continue;
      if (await this.#isBusy(work)) continue;
      this.#waitsForReal = this.#realTimers.arePending() && this.#worked_ms < LONGEST_WORK_MS;
      return;
    }
  }

  /** Lets go on what the client has left behind. */
  async #untilLeft(): Promise<void> {
    for (let turn = 0; turn < LAST_TURNS; turn++) {
      const before = this.#activity();
      await nextTurn();
      if (before === this.#activity() && workUnderWay().open <= this.#before.open) return;
    }
  }

  /** True, a moment later, while the machine is at work on something for the client or the service. */
  async #isBusy({ tasks, helpers }: Work): Promise<boolean> {
    const { service } = this.options;
    const serviceWorks = service.arrived() - service.answered() > service.waiting();
    if (tasks === 0 && helpers <= this.#before.helpers && !serviceWorks) return false;
    if (this.#worked_ms >= LONGEST_WORK_MS) return false;
    await this.#waitForReal();
    return true;
  }

  async #waitForReal(): Promise<void> {
    const began = real.performanceNow();
    await new Promise((resolve) => real.setTimeout(resolve, 1));
    this.#worked_ms += real.performanceNow() - began;
  }

  #activity(): number {
    const { service } = this.options;
    return this.#clock.changes + service.arrived() + service.answered();
  }

  /** Takes time to the next thing that is due, and does it. True where the client cannot have learnt of it. */
  async #moveOn(): Promise<boolean> {
    const clock = this.#clock;
    const { service } = this.options;
    const answered = service.answered();
    const isAtWork = this.#waitsForReal || this.#course.isHurried();
    // Both times pass side by side then.
    if (this.#waitsForReal) await this.#waitForReal();
    const latest = this.#waitsForReal ? clock.now + 1 : Infinity;
    const move = this.#course.next(clock.now, Math.min(latest, clock.next()));
    clock.now = move.to;
    await service.advanceTo(move.to);
    if ('ended' in move) {
      this.#end({ ended: move.ended, unhandled: false });
      return false;
    }
    if (move.whose === 'service') return !isAtWork && service.answered() === answered;
    try {
      clock.fireOne();
    } catch (error) {
      this.#end({ ended: 'by-itself', error, unhandled: true });
    }
    return false;
  }
}
