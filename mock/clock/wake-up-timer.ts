import type { Organisation } from '../engine/organisation.js';

/** Injected timers, so that tests can replace them. */
export interface Timers {
  set(callback: () => void, delay_ms: number): unknown;
  clear(timer: unknown): void;
}

/** Longest delay of a timer, ms. */
const LONGEST_DELAY_MS = 2 ** 31 - 1;

/**
 * Wakes organisations when their work is due, with one timer for all of them. Requests
 * do not depend on it (each request first processes due work of its organisation); pending requests do.
 */
export class WakeUpTimer {
  /** When each organisation is next woken, ms of the wall clock. */
  readonly #next = new Map<Organisation, number>();
  #awaited = 0;
  #armed: { at: number; timer: unknown } | null = null;

  constructor(
    private readonly wall: () => number,
    private readonly timers: Timers,
    /** Called with an error of the mock itself: a timer has no caller. */
    private readonly onFault: (error: unknown) => void,
  ) {}

  /** Called when the organisation has planned work or its clock has changed. */
  wake(organisation: Organisation): void {
    const delay = organisation.clock.wallDelay(organisation.schedule.next());
    if (delay === Infinity) return;
    const at = this.wall() + delay;
    if ((this.#next.get(organisation) ?? Infinity) <= at) return;
    this.#next.set(organisation, at);
    if (!this.#armed || this.#armed.at > at) this.#arm(at);
  }

  /** Removes an organisation. */
  forget(organisation: Organisation): void {
    this.#next.delete(organisation);
  }

  /** Number of organisations with due work. */
  get size(): number {
    return this.#next.size;
  }

  /** Until `response` has settled, the armed timer keeps the process alive; pending tasks alone do not. */
  keepAlive(response: Promise<unknown>): void {
    this.#awaited++;
    this.#setRef();
    const done = () => {
      this.#awaited--;
      this.#setRef();
    };
    response.then(done, done);
  }

  #setRef(): void {
    const timer = this.#armed?.timer as { ref?: () => void; unref?: () => void } | undefined;
    if (this.#awaited > 0) timer?.ref?.();
    else timer?.unref?.();
  }

  stop(): void {
    this.#next.clear();
    this.#arm(Infinity);
  }

  /** `at`: ms of the wall clock; Infinity when nothing is due. */
  #arm(at: number): void {
    if (this.#armed) this.timers.clear(this.#armed.timer);
    this.#armed = null;
    if (at === Infinity) return;
    // At least 1 ms, so that work that rounding leaves undone cannot spin.
    const delay = Math.min(LONGEST_DELAY_MS, Math.max(1, Math.ceil(at - this.wall())));
    this.#armed = { at, timer: this.timers.set(() => this.#fire(), delay) };
    this.#setRef();
  }

  #fire(): void {
    this.#armed = null;
    const now = this.wall();
    const due = [...this.#next].filter(([, at]) => at <= now).sort(([, one], [, other]) => one - other);
    for (const [organisation] of due) {
      this.#next.delete(organisation);
      try {
        organisation.catchUp();
      } catch (error) {
        this.onFault(error);
      }
      this.wake(organisation);
    }
    let earliest = Infinity;
    for (const at of this.#next.values()) earliest = Math.min(earliest, at);
    this.#arm(earliest);
  }
}
