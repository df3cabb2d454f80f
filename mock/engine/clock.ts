/**
 * The clock of one organisation. It reads no time of its own: the wall clock is handed in.
 *
 * - `real`: follows the wall clock, `speed` times as fast.
 * - `manual`: moves only through `mock.clock`.
 * - `skipping`: like manual, and jumps to the next due work when a poll would learn nothing and nobody has time for something
 *   (`skipIdleTime` states the invariant), or when all requests are pending. Refused requests move it too.
 * - `eager`: like real, and jumps ahead where a `skipping` clock would. Pending requests take their real time.
 */
export const CLOCK_MODES = ['real', 'manual', 'skipping', 'eager'] as const;
export type ClockMode = (typeof CLOCK_MODES)[number];

/** Default start of manual clocks: 2026-01-01T00:00:00Z, in ms. */
export const MANUAL_START_MS = 1_767_225_600_000;

/** How a clock moves. */
export interface ClockSettings {
  mode: ClockMode;
  /** Times as fast as the wall clock. */
  speed: number;
  /** The mode of a paused clock before it was paused. */
  pausedFrom?: ClockMode | undefined;
}

export class OrganisationClock {
  /** The mode before the clock was paused; undefined while it is not. */
  pausedFrom: ClockMode | undefined;
  /** How often it was moved or changed: that time passes is none of both. */
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

  /** Jumps to the next due work when a poll would learn nothing. */
  get jumps(): boolean {
    return this.#mode === 'skipping' || this.#mode === 'eager';
  }

  get speed(): number {
    return this.#speed;
  }

  /** ms, an integer; never goes back. */
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

  /** Moves on to `time`; a time in the past changes nothing. */
  moveTo(time: number): void {
    if (time > this.now()) this.restore(time);
  }

  set(change: Partial<ClockSettings>): void {
    this.restore(this.now());
    if (change.mode !== undefined) this.#mode = change.mode;
    if (change.speed !== undefined) this.#speed = change.speed;
    if ('pausedFrom' in change) this.pausedFrom = change.pausedFrom;
  }

  /** Takes the clock to any time, back too: for restoring a snapshot. */
  restore(time: number): void {
    this.#base = time;
    this.#wallBase = this.wall();
    this.moves++;
  }
}

/** Moves by itself, as the wall clock does. */
export function isWallBased(mode: ClockMode): boolean {
  return mode === 'real' || mode === 'eager';
}
