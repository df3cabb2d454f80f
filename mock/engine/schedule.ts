/**
 * Work that is due at a time, in order: first by time, then by the order in which it was planned.
 * A heap, so that 100,000 pending tasks cost one armed timer and a few comparisons each.
 */
export interface Due<T> {
  /** ms of the owner's clock. */
  at: number;
  seq: number;
  work: T;
}

export class Schedule<T> {
  // Three lists side by side: comparing two entries touches plain numbers only.
  #at: number[] = [];
  #seq: number[] = [];
  #work: T[] = [];
  #planned = 0;
  /** When the work that was taken last was due, ms. */
  takenAt = 0;

  get size(): number {
    return this.#at.length;
  }

  /** Time in ms of the next due work; Infinity when there is none. */
  next(): number {
    return this.#at.length > 0 ? this.#at[0]! : Infinity;
  }

  plan(at: number, work: T): void {
    const seq = this.#planned++;
    let i = this.#at.length;
    this.#put(i, at, seq, work);
    while (i > 0) {
      const parent = (i - 1) >> 2;
      // Among equals the one that was planned first is above already.
      if (at >= this.#at[parent]!) break;
      this.#move(parent, i);
      i = parent;
    }
    this.#put(i, at, seq, work);
  }

  /** Takes the first work out if it is due at or before `time`. When it was due, `takenAt` says. */
  take(time: number): T | undefined {
    if (this.#at.length === 0 || this.#at[0]! > time) return undefined;
    const first = this.#work[0]!;
    this.takenAt = this.#at[0]!;
    const at = this.#at.pop()!;
    const seq = this.#seq.pop()!;
    const work = this.#work.pop()!;
    if (this.#at.length > 0) this.#sink(at, seq, work);
    return first;
  }

  /** All pending work in the order in which it will come. */
  pending(): Due<T>[] {
    const all = this.#at.map((at, i) => ({ at, seq: this.#seq[i]!, work: this.#work[i]! }));
    return all.sort((a, b) => a.at - b.at || a.seq - b.seq);
  }

  /** Drops the work that nobody needs any more. */
  prune(isNeeded: (work: T) => boolean): void {
    const kept = this.pending().filter((due) => isNeeded(due.work));
    // A sorted list is a heap.
    this.#at = kept.map(({ at }) => at);
    this.#seq = kept.map(({ seq }) => seq);
    this.#work = kept.map(({ work }) => work);
  }

  clear(): void {
    this.#at = [];
    this.#seq = [];
    this.#work = [];
  }

  /** Lets an entry down from the top to its place. Four children each: half as deep as two. */
  #sink(at: number, seq: number, work: T): void {
    const { length } = this.#at;
    let i = 0;
    for (;;) {
      const first = 4 * i + 1;
      if (first >= length) break;
      const end = Math.min(first + 4, length);
      let least = first;
      for (let child = first + 1; child < end; child++) if (this.#isBefore(child, least)) least = child;
      const comesFirst = this.#at[least]! < at || (this.#at[least]! === at && this.#seq[least]! < seq);
      if (!comesFirst) break;
      this.#move(least, i);
      i = least;
    }
    this.#put(i, at, seq, work);
  }

  #isBefore(a: number, b: number): boolean {
    return this.#at[a]! < this.#at[b]! || (this.#at[a]! === this.#at[b]! && this.#seq[a]! < this.#seq[b]!);
  }

  #move(from: number, to: number): void {
    this.#put(to, this.#at[from]!, this.#seq[from]!, this.#work[from]!);
  }

  #put(i: number, at: number, seq: number, work: T): void {
    this.#at[i] = at;
    this.#seq[i] = seq;
    this.#work[i] = work;
  }
}
