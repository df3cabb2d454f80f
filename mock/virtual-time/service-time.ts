/** What virtual time has to know of the service that a client talks to. All times are ms of one and the same clock. */
export interface ServiceTime {
  now(): number;
  /** When something will happen there by itself; Infinity when nothing is planned. */
  next(): number;
  /** Moves on to `at`: what is due happens, in order. When it settles, the responses that this releases have been delivered. */
  advanceTo(at: number): void | Promise<void>;
  /** Requests that have arrived so far. */
  arrived(): number;
  /** Of these, requests with a response (also one that a rule lost). */
  responded(): number;
  /** Of these, pending requests. */
  waiting(): number;
  /** Changes with everything that brings the conversation forward; polls that learn nothing do not change it. */
  progress(): number;
}

/** When a run on virtual time is over although the client has not ended. */
export interface Patience {
  /** From the beginning, ms. */
  deadlineMs: number;
  /** Without any progress, ms. */
  stalledMs: number;
}

/** How a run on virtual time ended. `idle`: nothing is left that could happen. */
export type Ended = 'by-itself' | 'deadline' | 'stalled' | 'idle' | 'aborted';
