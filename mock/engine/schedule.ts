/**
 * Work that is due at a time, in order: first by time, then by the order in which it was planned.
 * A binary heap, so that 100,000 pending tasks cost one armed timer and a few comparisons each.
 */
export interface Due<T> {
  /** ms of the owner's clock. */
  at: number;
  seq: number;
  work: T;
}

export class Schedule<T> {
  #heap: Due<T>[] = [];
  #seq = 0;

  get size(): number {
    return this.#heap.length;
  }

  /** Time in ms of the next due work; Infinity when there is none. */
  next(): number {
    return this.#heap[0]?.at ?? Infinity;
  }

  plan(at: number, work: T): void {
    const heap = this.#heap;
    const due = { at, seq: this.#seq++, work };
    let i = heap.length;
    heap.push(due);
    while (i > 0) {
      const parent = (i - 1) >> 1;
      if (!before(due, heap[parent]!)) break;
      heap[i] = heap[parent]!;
      i = parent;
    }
    heap[i] = due;
  }

  /** Takes the first work out if it is due at or before `time`. */
  take(time: number): Due<T> | undefined {
    const heap = this.#heap;
    const first = heap[0];
    if (!first || first.at > time) return undefined;
    const last = heap.pop()!;
    if (heap.length > 0) sink(heap, last);
    return first;
  }

  /** All pending work in the order in which it will come. */
  pending(): Due<T>[] {
    return [...this.#heap].sort((a, b) => (before(a, b) ? -1 : 1));
  }

  /** Drops the work that nobody needs any more. */
  prune(isNeeded: (work: T) => boolean): void {
    const kept = this.pending().filter((due) => isNeeded(due.work));
    // A sorted list is a heap.
    this.#heap = kept;
  }

  clear(): void {
    this.#heap = [];
  }
}

function before(a: Due<unknown>, b: Due<unknown>): boolean {
  return a.at < b.at || (a.at === b.at && a.seq < b.seq);
}

function sink<T>(heap: Due<T>[], due: Due<T>): void {
  let i = 0;
  for (;;) {
    let child = 2 * i + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && before(heap[child + 1]!, heap[child]!)) child++;
    if (!before(heap[child]!, due)) break;
    heap[i] = heap[child]!;
    i = child;
  }
  heap[i] = due;
}
