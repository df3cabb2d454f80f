import { real } from './platform.js';
import type { Ended, Patience, ServiceTime } from './service-time.js';

export interface VirtualOptions {
  service: ServiceTime;
  patience: Patience;
  /** ms; default what the service's clock shows. */
  start_ms?: number;
  /** Ends the run from outside. */
  signal?: Pick<AbortSignal, 'aborted'> | undefined;
}

/** What a function on virtual time is given. */
export interface VirtualRun {
  /** Aborted when the run is over. */
  signal: AbortSignal;
  /**
   * `fetch` as the client has to get it: now and then an answer takes a turn of the loop (else a client that never
   * pauses would never let go), and once the run is over none comes any more.
   */
  connect<F extends typeof fetch>(fetch: F): F;
}

export interface VirtualOutcome<T> {
  ended: Ended;
  value?: T;
  /** What it threw. */
  error?: unknown;
  /** `error` was thrown where nobody could catch it (a timer, a rejected promise that nobody handled): ends a process. */
  unhandled: boolean;
  /** When it ended, ms of the virtual clock. */
  at: number;
}

/** A class, as its getter stands on the prototype: one on the object itself keeps the run in memory for long. */
export class Handed implements VirtualRun {
  constructor(
    private readonly over: () => AbortSignal,
    readonly connect: VirtualRun['connect'],
  ) {}

  get signal(): AbortSignal {
    return this.over();
  }
}

/** Of so many answers one takes a turn of the loop: a turn costs as much as a request. */
const ANSWERS_A_TURN = 16;

/** Hands the answers to the requests of one run on to its client. */
export class Answers {
  isOver = false;
  #count = 0;

  connect<F extends typeof fetch>(fetch: F): F {
    const connected = (...args: Parameters<F>) =>
      new Promise((resolve, reject) => {
        if (this.isOver) return;
        const hand = (settle: (value: never) => void) => (value: unknown) => {
          const handOver = () => {
            if (!this.isOver) settle(value as never);
          };
          if (++this.#count % ANSWERS_A_TURN === 0) real.setImmediate(handOver);
          else handOver();
        };
        (fetch as (...args: Parameters<F>) => Promise<unknown>)(...args).then(hand(resolve), hand(reject));
      });
    return connected as F;
  }
}
