import { real } from '../platform.js';

/** So much real time beside virtual time is worth a word, ms. */
const NOTICED_MS = 900;

/**
 * Real time that passes beside virtual time, while the client of a run waits for a timer of the platform's own that it has made by
 * what a module kept from before there were stand-ins.
 */
export class Beside {
  #since: number | undefined;
  #passed_ms = 0;

  /** @param warn Told once of a client that waits for long. */
  constructor(private readonly warn: (hint: string) => void) {}

  get isOn(): boolean {
    return this.#since !== undefined;
  }

  /** What a client has to be told that has waited for long. */
  get hint(): string | undefined {
    if (this.#passed_ms < NOTICED_MS) return undefined;
    return `The client has waited ${(this.#passed_ms / 1_000).toFixed(1)} s of real time for a timer that mock.time.run does not see, most likely one that a module kept before the run: put taskdouble/virtual-time first (setupFiles of vitest, --import of Node.js).`;
  }

  /** From now on it passes beside, or no more; `now` is ms of real time. */
  see(isPending: boolean, now = real.performanceNow()): void {
    this.#since = isPending ? (this.#since ?? now) : undefined;
  }

  /** Whole ms since the last time. */
  take(now = real.performanceNow()): number {
    if (this.#since === undefined) return 0;
    const passed = Math.trunc(now - this.#since);
    this.#since += passed;
    const isNoticed = this.hint !== undefined;
    this.#passed_ms += passed;
    const { hint } = this;
    if (hint !== undefined && !isNoticed) this.warn(hint);
    return passed;
  }
}
