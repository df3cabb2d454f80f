import type { Clock } from './target.js';

/** Shortest and longest time between two requests once a limit has been met, ms. */
const FIRST_GAP_MS = 20;
const LONGEST_GAP_MS = 1000;
/** How much it grows with a limit that is met, and shrinks with each request that meets none. */
const GROWTH = 1.5;
const RECOVERY = 0.998;
/** Requests that were under way together meet one limit, not many, ms. */
const TOGETHER_MS = 250;

/** How fast a run may send: at once, until the target says that it is too much; then all wait in one queue, a gap apart. */
export class Pace {
  #gap = 0;
  #next = 0;
  #slowedAt = Number.NEGATIVE_INFINITY;

  async turn(clock: Clock, signal?: AbortSignal): Promise<void> {
    if (this.#gap === 0) return;
    const now = clock.now();
    const at = Math.max(now, this.#next);
    this.#next = at + this.#gap;
    if (at > now) await clock.sleep(at - now, signal);
  }

  /** A limit was met. */
  slowDown(clock: Clock): void {
    const now = clock.now();
    if (now - this.#slowedAt < TOGETHER_MS + this.#gap) return;
    this.#slowedAt = now;
    this.#gap = Math.min(LONGEST_GAP_MS, Math.max(FIRST_GAP_MS, this.#gap * GROWTH));
  }

  /** A request met no limit. */
  quicken(): void {
    this.#gap = this.#gap < FIRST_GAP_MS / 2 ? 0 : this.#gap * RECOVERY;
  }
}
