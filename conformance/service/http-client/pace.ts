import type { Clock } from '../runner/clock.js';

/** Shortest and longest time between two requests once a limit has been met, ms. */
const FIRST_GAP_MS = 20;
const LONGEST_GAP_MS = 1000;
/** How much it grows with a limit that is met, and shrinks with each request that meets none. */
const GROWTH = 1.5;
const RECOVERY = 0.998;
/** Requests that were under way together meet one limit, not many, ms. */
const TOGETHER_MS = 250;

/**
 * How fast a run may send: as fast as it can, until the target says that it is too much. From then on all who send wait
 * in one queue, a gap apart, that soon is as long as the limit asks for.
 */
export class Pace {
  #gap = 0;
  #next = 0;
  #met = Number.NEGATIVE_INFINITY;

  /** Waits for one's turn. */
  async turn(clock: Clock, signal?: AbortSignal): Promise<void> {
    if (this.#gap === 0) return;
    const now = clock.now();
    const at = Math.max(now, this.#next);
    this.#next = at + this.#gap;
    if (at > now) await clock.sleep(at - now, signal);
  }

  /** A limit was met. */
  slower(clock: Clock): void {
    const now = clock.now();
    if (now - this.#met < TOGETHER_MS + this.#gap) return;
    this.#met = now;
    this.#gap = Math.min(LONGEST_GAP_MS, Math.max(FIRST_GAP_MS, this.#gap * GROWTH));
  }

  /** A request met no limit. */
  well(): void {
    this.#gap = this.#gap < FIRST_GAP_MS / 2 ? 0 : this.#gap * RECOVERY;
  }
}
