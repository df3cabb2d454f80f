import { isTimerOver } from './internals.js';
import { real } from './real.js';

/** Real time after which a warning is reported, ms. */
const NOTICED_MS = 900;

/**
 * The real time that passes while a client waits for a timer of the platform's own, made with a function that a module kept from
 * before there were patches. Virtual time passes along with it.
 */
export class RealTimers {
  /** Timers that the client has set. */
  #made: NodeJS.Timeout[] = [];
  #since: number | undefined;
  #passed_ms = 0;

  /** @param warn Called once for a client that waits for long. */
  constructor(private readonly warn: (hint: string) => void) {}

  add(timer: NodeJS.Timeout): void {
    this.#made.push(timer);
  }

  /** True while a pending one keeps the process alive. */
  areSet(): boolean {
    if (this.#made.length === 0) return false;
    this.#made = this.#made.filter((timer) => !isTimerOver(timer));
    return this.#made.some((timer) => timer.hasRef());
  }

  get arePending(): boolean {
    return this.#since !== undefined;
  }

  get hint(): string | undefined {
    if (this.#passed_ms < NOTICED_MS) return undefined;
    return `The client has waited ${(this.#passed_ms / 1_000).toFixed(1)} s of real time for a timer that mock.time.run does not see, most likely one that a module kept before the run: put taskdouble/virtual-time first (setupFiles of vitest, --import of Node.js).`;
  }

  /** `now`: ms of real time. */
  set(arePending: boolean, now = real.performanceNow()): void {
    this.#since = arePending ? (this.#since ?? now) : undefined;
  }

  /** Whole ms of real time since the last call. */
  take(now = real.performanceNow()): number {
    if (this.#since === undefined) return 0;
    const passed = Math.trunc(now - this.#since);
    this.#since += passed;
    const isNoticed = this.#passed_ms >= NOTICED_MS;
    this.#passed_ms += passed;
    if (!isNoticed && this.hint) this.warn(this.hint);
    return passed;
  }
}
