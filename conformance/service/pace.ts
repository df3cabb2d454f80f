import type { Clock } from './clock.js';

/** Shortest and longest pause between two requests once a limit has been met, ms. */
const FIRST_GAP_MS = 20;
const LONGEST_GAP_MS = 1000;
/** The gap shrinks by this with each request that met no limit. */
const RECOVERY = 0.995;

/**
 * How fast a run may send: as fast as it can, until the target says that it is too much. Then all who send wait in one
 * queue, further and further apart, as each waiting alone would wake with all the others.
 */
export class Pace {
  #gap = 0;
  #next = 0;

  /** Waits for one's turn. */
  async turn(clock: Clock, signal?: AbortSignal): Promise<void> {
    if (this.#gap === 0) return;
    const now = clock.now();
    const at = Math.max(now, this.#next);
    this.#next = at + this.#gap;
    if (at > now) await clock.sleep(at - now, signal);
  }

  /** A limit was met: nobody sends before `pause_ms` are over, and slower from then on. */
  slower(clock: Clock, pause_ms: number): void {
    const until = clock.now() + pause_ms;
    // Those that were under way together met one limit, not many.
    if (until <= this.#next) return;
    this.#gap = Math.min(LONGEST_GAP_MS, Math.max(FIRST_GAP_MS, this.#gap * 2));
    this.#next = until;
  }

  /** A request met no limit. */
  well(): void {
    this.#gap = this.#gap < FIRST_GAP_MS ? 0 : this.#gap * RECOVERY;
  }
}
