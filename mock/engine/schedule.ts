interface DueWork<T> {
  /** ms of the owner's clock. */
  at: number;
  work: T;
}

interface Slot<T> {
  work: T[];
  /** Number of items already removed. */
  next: number;
}

/**
 * Due work, ordered by time, then by the order of planning. Work of the same millisecond shares one slot:
 * 100,000 pending tasks need only a few hundred slots.
 */
export class DueSchedule<T> {
  #slots = new Map<number, Slot<T>>();
  /** The times that have a slot, the next one last. */
  #times: number[] = [];
  #size = 0;
  /** Due time of the work that was removed last, ms. */
  lastDueAt = 0;

  get size(): number {
    return this.#size;
  }

  /** Time in ms of the next due work; Infinity when there is none. */
  next(): number {
    return this.#times.at(-1) ?? Infinity;
  }

  plan(at: number, work: T): void {
    this.#size++;
    const slot = this.#slots.get(at);
    if (slot) {
      slot.work.push(work);
      return;
    }
    this.#slots.set(at, { work: [work], next: 0 });
    let low = 0;
    let high = this.#times.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#times[middle]! > at) low = middle + 1;
      else high = middle;
    }
    this.#times.splice(low, 0, at);
  }

  /** Removes the first work if it is due at or before `time`. `lastDueAt` then holds its due time. */
  removeDue(time: number): T | undefined {
    const at = this.next();
    // Without pending work the next time is Infinity, and `time` may be Infinity, too.
    if (at > time || this.#size === 0) return undefined;
    const slot = this.#slots.get(at)!;
    const work = slot.work[slot.next++]!;
    this.#size--;
    this.lastDueAt = at;
    if (slot.next === slot.work.length) {
      this.#slots.delete(at);
      this.#times.pop();
    }
    return work;
  }

  listPending(): DueWork<T>[] {
    return this.#times.toReversed().flatMap((at) => {
      const { work, next } = this.#slots.get(at)!;
      return work.slice(next).map((each) => ({ at, work: each }));
    });
  }

  prune(isNeeded: (work: T) => boolean): void {
    const kept = this.listPending().filter(({ work }) => isNeeded(work));
    this.clear();
    for (const { at, work } of kept) this.plan(at, work);
  }

  clear(): void {
    this.#slots = new Map();
    this.#times = [];
    this.#size = 0;
  }
}
