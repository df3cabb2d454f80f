/** Why a client on virtual time can never end. */
export type StoodStill = 'idle' | 'stalled' | 'deadline';

/** A client on virtual time that never ended: its message says what it was waiting for, and since when. */
export class TimeStoodStill extends Error {
  override readonly name = 'TimeStoodStill';

  constructor(
    message: string,
    /** `idle`: nothing is left that could happen; `stalled`: nothing new for too long; `deadline`: its time is over. */
    readonly reason: StoodStill,
    /** Virtual time since the run began, ms. */
    readonly passed_ms: number,
  ) {
    super(message);
  }
}
