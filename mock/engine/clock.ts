/**
 * The clock of one organisation. It is based on the wall clock that its owner passes in.
 *
 * - `real`: follows the wall clock, `speed` times as fast.
 * - `manual`: moves only through `mock.clock`.
 * - `skipping`: like `manual`, but jumps to the next due work if a poll can return nothing new and no client
 *   needs the time (`skipIdleTime` documents the invariant), or if all requests are pending. Refused requests
 *   advance it too.
 * - `eager`: like `real`, but also jumps where a `skipping` clock would. Pending requests take their real time.
 */
export const CLOCK_MODES = ['real', 'manual', 'skipping', 'eager'] as const;
export type ClockMode = (typeof CLOCK_MODES)[number];

/** Default start of manual clocks: 2026-01-01T00:00:00Z, in ms. */
export const MANUAL_START_MS = 1_767_225_600_000;

export interface ClockSettings {
  mode: ClockMode;
  /** Times as fast as the wall clock. */
  speed: number;
  pausedFrom?: ClockMode | undefined;
}

export class OrganisationClock {
  /** The mode before the clock was paused; undefined while it is not. */
  pausedFrom: ClockMode | undefined;
  /** Number of explicit moves and changes of settings. The mere passing of time does not count. */
  moves = 0;
  #mode: ClockMode;
  #speed: number;
  /** Time of this clock at `#wallBase` of the wall clock. */
  #base: number;
  #wallBase: number;

  constructor(
    private readonly wall: () => number,
    options: ClockSettings & { startMs?: number | undefined },
  ) {
    this.#mode = options.mode;
    this.#speed = options.speed;
    this.pausedFrom = options.pausedFrom;
    this.#wallBase = wall();
    this.#base = options.startMs ?? (isWallBased(options.mode) ? this.#wallBase : MANUAL_START_MS);
  }

  get mode(): ClockMode {
    return this.#mode;
  }

  /** Jumps to the next due work when a poll can return nothing new. */
  get jumps(): boolean {
    return this.#mode === 'skipping' || this.#mode === 'eager';
  }

  get speed(): number {
    return this.#speed;
  }

  /** ms, an integer; never decreases. */
  now(): number {
    if (!isWallBased(this.#mode)) return this.#base;
    // If the wall clock is set back, the organisation's clock must not go back.
    const passed = Math.max(0, this.wall() - this.#wallBase);
    return Math.floor(this.#base + passed * this.#speed);
  }

  /** Real ms until this clock shows `at`; Infinity for a manual clock. */
  measureWallDelay(at: number): number {
    if (!isWallBased(this.#mode)) return Infinity;
    return Math.max(0, (at - this.now()) / this.#speed);
  }

  /** Real ms since this clock was created or last moved explicitly. */
  measureStall(): number {
    return this.wall() - this.#wallBase;
  }

  /** A time in the past changes nothing. */
  moveTo(time: number): void {
    if (time > this.now()) this.restore(time);
  }

  set(change: Partial<ClockSettings>): void {
    this.restore(this.now());
    if (change.mode !== undefined) this.#mode = change.mode;
    if (change.speed !== undefined) this.#speed = change.speed;
    if ('pausedFrom' in change) this.pausedFrom = change.pausedFrom;
  }

  /** Sets any time, also an earlier one: for restoring a snapshot. */
  restore(time: number): void {
    this.#base = time;
    this.#wallBase = this.wall();
    this.moves++;
  }
}

export function isWallBased(mode: ClockMode): boolean {
  return mode === 'real' || mode === 'eager';
}

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
