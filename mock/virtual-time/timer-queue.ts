/** Something that is due at a time, ms. */
export interface Timed {
  at: number;
}

/**
 * Timers in the order in which they fire: by time, then by the order in which they were planned. A client has a handful
 * of them, so a sorted list will do.
 */
export class TimerQueue<T extends Timed> {
  /** The last is due first: taking it out moves nothing. */
  #timers: T[] = [];

  get size(): number {
    return this.#timers.length;
  }

  /** ms; Infinity when there is none. */
  next(): number {
    return this.#timers.length > 0 ? this.#timers[this.#timers.length - 1]!.at : Infinity;
  }

  add(timer: T): void {
    let place = this.#timers.length;
    while (place > 0 && this.#timers[place - 1]!.at <= timer.at) place--;
    // Mostly it is the next one: then there is nothing to move.
    if (place === this.#timers.length) this.#timers.push(timer);
    else this.#timers.splice(place, 0, timer);
  }

  /** Takes it back; nothing where it is not there. */
  remove(timer: T): void {
    const place = this.#timers.lastIndexOf(timer);
    if (place === -1) return;
    if (place === this.#timers.length - 1) this.#timers.pop();
    else this.#timers.splice(place, 1);
  }

  /** Takes the first out if it is due at `time`. */
  take(time: number): T | undefined {
    return this.next() <= time ? this.#timers.pop() : undefined;
  }

  some(holds: (timer: T) => boolean): boolean {
    return this.#timers.some(holds);
  }

  clear(): void {
    this.#timers = [];
  }
}
