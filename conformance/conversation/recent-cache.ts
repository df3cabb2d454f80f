/**
 * Keeps the values of the texts that were used last, `least` at least and twice as many at most: the same texts come again
 * and again, in run after run.
 */
export class RecentCache<T> {
  // New ones in place of emptied ones: an emptied table that has grown old keeps what it held in memory for long.
  #new = new Map<string, T>();
  #old = new Map<string, T>();

  constructor(private readonly least: number) {}

  get(text: string): T | undefined {
    const found = this.#new.get(text);
    if (found !== undefined) return found;
    const old = this.#old.get(text);
    if (old !== undefined) this.set(text, old);
    return old;
  }

  set(text: string, made: T): void {
    if (this.#new.size >= this.least) {
      this.#old = this.#new;
      this.#new = new Map();
    }
    this.#new.set(text, made);
  }
}
