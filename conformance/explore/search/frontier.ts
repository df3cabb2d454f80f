/**
 * What is still to be tried, best first: by turn, and in the order of arrival within one. Holds so many at most; what
 * comes last gives way, and is counted.
 */
export class Frontier<T> {
  #turns = new Map<number, T[]>();
  #order: number[] = [];
  #isSorted = true;
  #held = 0;
  /** Everything that was ever put in, kept or not. */
  offered = 0;

  constructor(private readonly most: number) {}

  get size(): number {
    return this.#held;
  }

  push(turn: number, item: T): void {
    this.offered++;
    let items = this.#turns.get(turn);
    if (!items) {
      items = [];
      this.#turns.set(turn, items);
      this.#order.push(turn);
      this.#isSorted = false;
    }
    items.push(item);
    this.#held++;
    if (this.#held > this.most) this.#dropLast();
  }

  /** Takes all out, best first. */
  *drain(): Generator<T> {
    this.#sort();
    for (const turn of this.#order) {
      const items = this.#turns.get(turn)!;
      this.#turns.delete(turn);
      for (const item of items) {
        this.#held--;
        yield item;
      }
    }
    this.#order = [];
  }

  #dropLast(): void {
    this.#sort();
    const last = this.#order.at(-1)!;
    const items = this.#turns.get(last)!;
    items.pop();
    this.#held--;
    if (items.length > 0) return;
    this.#turns.delete(last);
    this.#order.pop();
  }

  #sort(): void {
    if (!this.#isSorted) this.#order.sort((a, b) => a - b);
    this.#isSorted = true;
  }
}
