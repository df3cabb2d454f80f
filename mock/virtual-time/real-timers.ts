import { real } from './platform.js';
import { StandIns } from './stand-in.js';

/** A timer of the platform's own; `_destroyed` is set to false when it is made, and to true when it is over. */
export interface RealTimer {
  _destroyed: boolean;
  hasRef(): boolean;
}

const probe = real.setTimeout(() => {}, 1);
real.clearTimeout(probe);
const prototype = Object.getPrototypeOf(probe) as object;

/** Where those that are made now are written down. */
let watched: RealTimer[] | undefined;
/** The same where it depends on the asynchronous context. */
let watchedHere: (() => RealTimer[] | undefined) | undefined;

export function watchRealTimersHere(here: typeof watchedHere): void {
  watchedHere = here;
}

/** Hears of timers being made while in place: to put it in place for each run would take longer than the run. */
export const realTimerStandIns = new StandIns(false);
realTimerStandIns.replaceAccessor(
  prototype,
  '_destroyed',
  () => false,
  function (value: boolean) {
    Object.defineProperty(this, '_destroyed', {
      value,
      writable: true,
      enumerable: true,
      configurable: true,
    });
    (watchedHere?.() ?? watched)?.push(this as RealTimer);
  },
);

/**
 * Hears of every timer of the platform's own that is made while it watches: through a reference to `setTimeout` that was
 * taken before anything stood in for it. The stand-in has to be in place. Where a version of Node.js makes them otherwise it hears of none.
 */
export class RealTimers {
  #made: RealTimer[] = [];

  watch(): void {
    watched = this.#made;
  }

  stop(): void {
    watched = undefined;
  }

  /** True while one of them is to come that somebody waits for. */
  arePending(): boolean {
    return arePending(this.#made);
  }
}

/** The same of timers that were written down; those that are over are taken out. */
export function arePending(made: RealTimer[]): boolean {
  if (made.length === 0) return false;
  const pending = made.filter((timer) => !timer._destroyed);
  made.splice(0, made.length, ...pending);
  return pending.some((timer) => timer.hasRef());
}
