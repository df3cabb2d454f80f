import type { Organisation } from '../engine/organisation.js';

export interface Timers {
  set(callback: () => void, delay_ms: number): unknown;
  clear(timer: unknown): void;
}

/** Longest delay of a timer, ms. */
const LONGEST_DELAY_MS = 2 ** 31 - 1;

/**
 * Wakes organisations when their work is due, each with one timer. Requests do not depend on it (each request
 * first processes due work of its organisation); pending requests do.
 */
export class WakeUpTimer {
  /** Next wake-up of each organisation, ms of the wall clock. */
  readonly #armed = new Map<Organisation, { at: number; timer: unknown }>();
  #awaited = 0;

  constructor(
    private readonly wall: () => number,
    private readonly timers: Timers,
    /** Called with an error of the mock itself: a timer has no caller. */
    private readonly onFault: (error: unknown) => void,
  ) {}

  /** Called when the organisation has planned work or its clock has changed. */
  arm(organisation: Organisation): void {
    const wait = organisation.clock.measureWallDelay(organisation.schedule.next());
    if (wait === Infinity) return;
    const now = this.wall();
    const at = now + wait;
    if ((this.#armed.get(organisation)?.at ?? Infinity) <= at) return;
    this.remove(organisation);
    // At least 1 ms: rounding may leave work undone, which must not cause a busy loop.
    const delay = Math.min(LONGEST_DELAY_MS, Math.max(1, Math.ceil(at - now)));
    const timer = this.timers.set(() => this.#fire(organisation), delay);
    this.#armed.set(organisation, { at, timer });
    this.#setRef(timer);
  }

  remove(organisation: Organisation): void {
    const armed = this.#armed.get(organisation);
    if (armed) this.timers.clear(armed.timer);
    this.#armed.delete(organisation);
  }

  /** Until `response` has settled, the armed timers keep the process alive; pending tasks alone do not. */
  keepAlive(response: Promise<unknown>): void {
    if (this.#awaited++ === 0) this.#setRefs();
    const release = () => {
      if (--this.#awaited === 0) this.#setRefs();
    };
    response.then(release, release);
  }

  stop(): void {
    for (const organisation of this.#armed.keys()) this.remove(organisation);
  }

  #setRefs(): void {
    for (const { timer } of this.#armed.values()) this.#setRef(timer);
  }

  #setRef(timer: unknown): void {
    const { ref, unref } = timer as { ref?: () => void; unref?: () => void };
    (this.#awaited > 0 ? ref : unref)?.call(timer);
  }

  #fire(organisation: Organisation): void {
    this.#armed.delete(organisation);
    try {
      organisation.catchUp();
    } catch (error) {
      this.onFault(error);
    }
    this.arm(organisation);
  }
}

/**
 * A wall clock that never goes back: if the system clock is set back, time continues from its latest value.
 * Otherwise all timers would wait until the system clock has caught up.
 */
export function createMonotonicClock(wall: () => number): () => number {
  let latest = wall();
  let lost = 0;
  return () => {
    const now = wall() + lost;
    if (now >= latest) {
      latest = now;
      return now;
    }
    lost += latest - now;
    return latest;
  };
}
