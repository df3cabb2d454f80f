import type { Settings } from './test-case.js';

/** Successful waits that are needed to judge the speed of the target. */
const ENOUGH = 5;
/** Failed waits after which others are cut short. */
const HOPELESS = 2;

/**
 * Adapts the timeout to the target. Waits take the full timeout until enough results are known: if all arrived within a second,
 * 30 seconds are enough, and after failed waits the other waits of the run are short.
 */
export class WaitLimit {
  static readonly #ofRun = new WeakMap<Settings, WaitLimit>();
  #longest_ms = 0;
  #met = 0;
  #timeouts = 0;

  /** All contexts of a run share the settings object and therefore the limit. */
  static forRun(settings: Settings): WaitLimit {
    const known = WaitLimit.#ofRun.get(settings) ?? new WaitLimit();
    WaitLimit.#ofRun.set(settings, known);
    return known;
  }

  /** ms. */
  computeLimit(timeoutMs: number): number {
    let limit = timeoutMs;
    if (this.#met >= ENOUGH) limit = Math.min(limit, Math.max(30_000, 30 * this.#longest_ms));
    if (this.#timeouts >= HOPELESS) limit = Math.min(limit, Math.max(5_000, 5 * this.#longest_ms));
    return limit;
  }

  recordMet(ms: number): void {
    this.#met++;
    this.#longest_ms = Math.max(this.#longest_ms, ms);
  }

  recordTimeout(): void {
    this.#timeouts++;
  }
}
