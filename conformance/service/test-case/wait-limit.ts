import type { Settings } from './test-case.js';

/** Waits that came to something, before they tell how fast the target is. */
const ENOUGH = 5;
/** Waits that came to nothing, before others are cut short. */
const HOPELESS = 2;

/**
 * How long to wait for what may never come. A run waits for as long as it is told to until it knows its target: where
 * everything came within a second, half a minute is enough, and where waits have been in vain, others of the run are short.
 */
export class WaitLimit {
  static readonly #ofRun = new WeakMap<Settings, WaitLimit>();
  #longest_ms = 0;
  #met = 0;
  #timeouts = 0;

  /** All players of a run, which have its settings in common, learn from one another. */
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
