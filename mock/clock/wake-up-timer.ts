import type { Organisation } from '../engine/organisation.js';
import { DueSchedule } from '../engine/schedule.js';

/** Timers as they are handed in, so that tests can bring their own. */
export interface Timers {
  set(callback: () => void, delay_ms: number): unknown;
  clear(timer: unknown): void;
}

/** Longest delay that timers take, ms. */
const LONGEST_DELAY_MS = 2 ** 31 - 1;
/** Stale entries below this are left where they are. */
const CLEAN_FROM = 64;

/**
 * Wakes organisations when their work comes due: one armed timer in all, however many tasks are pending. Requests
 * never depend on it (every request first catches its organisation up); those who wait do.
 */
export class WakeUpTimer {
  #due = new DueSchedule<Organisation>();
  /** When each organisation is next woken, ms of the wall clock; other entries of `#due` are stale. */
  #next = new Map<Organisation, number>();
  #awaited = 0;
  #armed: { at: number; timer: unknown } | null = null;

  constructor(
    private readonly wall: () => number,
    private readonly timers: Timers,
    /** Told of a fault of the mock itself: nobody stands above a timer. */
    private readonly onFault: (error: unknown) => void,
  ) {}

  /** The organisation has planned work, or its clock has changed. */
  wake(organisation: Organisation): void {
    const { world } = organisation;
    const delay = world.setup.clock.wallDelay(world.schedule.next());
    if (delay === Infinity) return;
    const at = this.wall() + delay;
    if ((this.#next.get(organisation) ?? Infinity) <= at) return;
    this.#next.set(organisation, at);
    this.#due.plan(at, organisation);
    this.#clean();
    if (!this.#armed || this.#armed.at > at) this.#arm();
  }

  /** It is gone: nothing wakes it any more, and nothing here keeps it in memory. */
  forget(organisation: Organisation): void {
    this.#next.delete(organisation);
    this.#clean();
  }

  /** Entries that are kept: at most about twice as many as there are organisations to wake. */
  get size(): number {
    return this.#due.size;
  }

  /** An entry is stale once its organisation is woken earlier or is gone; due in an hour, it would stay that long. */
  #clean(): void {
    if (this.#due.size < CLEAN_FROM || this.#due.size <= 2 * this.#next.size) return;
    this.#due.clear();
    for (const [organisation, at] of this.#next) this.#due.plan(at, organisation);
  }

  /** Until `answer` has settled, the armed timer keeps the process alive; pending tasks alone do not. */
  keepAlive(answer: Promise<unknown>): void {
    this.#awaited++;
    this.#setRef();
    const done = () => {
      this.#awaited--;
      this.#setRef();
    };
    answer.then(done, done);
  }

  #setRef(): void {
    const timer = this.#armed?.timer as { ref?: () => void; unref?: () => void } | undefined;
    if (this.#awaited > 0) timer?.ref?.();
    else timer?.unref?.();
  }

  stop(): void {
    if (this.#armed) this.timers.clear(this.#armed.timer);
    this.#armed = null;
    this.#due.clear();
    this.#next.clear();
  }

  #arm(): void {
    if (this.#armed) this.timers.clear(this.#armed.timer);
    this.#armed = null;
    const at = this.#due.next();
    if (at === Infinity) return;
    // At least 1 ms, so that work that rounding leaves undone cannot spin.
    const delay = Math.min(LONGEST_DELAY_MS, Math.max(1, Math.ceil(at - this.wall())));
    this.#armed = { at, timer: this.timers.set(() => this.#fire(), delay) };
    this.#setRef();
  }

  #fire(): void {
    this.#armed = null;
    const now = this.wall();
    for (let organisation = this.#due.take(now); organisation; organisation = this.#due.take(now)) {
      if (this.#next.get(organisation) !== this.#due.takenAt) continue;
      this.#next.delete(organisation);
      try {
        organisation.world.catchUp();
      } catch (error) {
        this.onFault(error);
      }
      this.wake(organisation);
    }
    this.#arm();
  }
}
