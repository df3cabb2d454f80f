/** So many requests in each window; a window begins with the first request after the one before has ended. */
export class Quota {
  #from = Number.NEGATIVE_INFINITY;
  #used = 0;

  constructor(
    private readonly requests: number,
    private readonly per_ms: number,
  ) {}

  /**
   * Takes one request down at `now` (ms). 0 when it is within the quota, else the whole seconds (1 or more) until the
   * next window; what is refused does not count.
   */
  take(now: number): number {
    if (now >= this.#from + this.per_ms) {
      this.#from = now;
      this.#used = 0;
    }
    if (this.#used < this.requests) {
      this.#used++;
      return 0;
    }
    return Math.max(1, Math.ceil((this.#from + this.per_ms - now) / 1000));
  }

  /** For snapshots. `from` (ms) is null before the first request. */
  keep(): { from: number | null; used: number } {
    return { from: this.#from === Number.NEGATIVE_INFINITY ? null : this.#from, used: this.#used };
  }

  recall({ from, used }: { from: number | null; used: number }): void {
    this.#from = from ?? Number.NEGATIVE_INFINITY;
    this.#used = used;
  }
}
