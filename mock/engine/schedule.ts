/** Work and when it is due. */
export interface Due<T> {
  /** ms of the owner's clock. */
  at: number;
  work: T;
}

interface Slot<T> {
  work: T[];
  /** How many of them have been taken. */
  taken: number;
}

/**
 * Work that is due at a time, in order: first by time, then by the order in which it was planned.
 * One slot a millisecond and a heap of the milliseconds: 100,000 pending tasks share a few hundred of them.
 */
export class DueSchedule<T> {
  #slots = new Map<number, Slot<T>>();
  /** Heap of the times that have a slot, the first on top. */
  #times: number[] = [];
  #size = 0;
  /** When the work that was taken last was due, ms. */
  takenAt = 0;

  get size(): number {
    return this.#size;
  }

  /** Time in ms of the next due work; Infinity when there is none. */
  next(): number {
    return this.#times.length > 0 ? this.#times[0]! : Infinity;
  }

  plan(at: number, work: T): void {
    this.#size++;
    const slot = this.#slots.get(at);
    if (slot) {
      slot.work.push(work);
    } else {
      this.#slots.set(at, { work: [work], taken: 0 });
      rise(this.#times, at);
    }
  }

  /** Takes the first work out if it is due at or before `time`. When it was due, `takenAt` says. */
  take(time: number): T | undefined {
    const at = this.next();
    // Nothing pending is Infinity, which is not before any time, not even the end of it.
    if (at > time || this.#size === 0) return undefined;
    const slot = this.#slots.get(at)!;
    const work = slot.work[slot.taken++]!;
    this.#size--;
    this.takenAt = at;
    if (slot.taken === slot.work.length) {
      this.#slots.delete(at);
      sinkLast(this.#times);
    }
    return work;
  }

  /** All pending work in the order in which it will come. */
  pending(): Due<T>[] {
    const all: Due<T>[] = [];
    for (const at of [...this.#times].sort((a, b) => a - b)) {
      const { work, taken } = this.#slots.get(at)!;
      for (let i = taken; i < work.length; i++) all.push({ at, work: work[i]! });
    }
    return all;
  }

  /** Drops the work that nobody needs any more. */
  prune(isNeeded: (work: T) => boolean): void {
    const kept = this.pending().filter(({ work }) => isNeeded(work));
    this.clear();
    for (const { at, work } of kept) this.plan(at, work);
  }

  clear(): void {
    this.#slots = new Map();
    this.#times = [];
    this.#size = 0;
  }
}

/** Puts a time into the heap. */
function rise(heap: number[], time: number): void {
  let i = heap.push(time) - 1;
  while (i > 0) {
    const parent = (i - 1) >> 1;
    if (heap[parent]! <= time) break;
    heap[i] = heap[parent]!;
    i = parent;
  }
  heap[i] = time;
}

/** Takes the top off the heap: the last takes its place and sinks. */
function sinkLast(heap: number[]): void {
  const time = heap.pop()!;
  const { length } = heap;
  if (length === 0) return;
  let i = 0;
  for (let child = 1; child < length; child = 2 * i + 1) {
    if (child + 1 < length && heap[child + 1]! < heap[child]!) child++;
    if (heap[child]! >= time) break;
    heap[i] = heap[child]!;
    i = child;
  }
  heap[i] = time;
}
