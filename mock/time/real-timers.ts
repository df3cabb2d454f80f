import { real } from './platform.js';

/** A timer of the platform's own; `_destroyed` is set to false when it is made, and to true when it is over. */
interface RealTimer {
  _destroyed: boolean;
  hasRef(): boolean;
}

const probe = real.setTimeout(() => {}, 1);
real.clearTimeout(probe);
const prototype = Object.getPrototypeOf(probe) as object;

/**
 * Hears of every timer of the platform's own that is made while it watches: through a reference to `setTimeout` that was
 * taken before anything stood in for it. Where a version of Node.js makes them otherwise it hears of none.
 */
export class RealTimers {
  #made: RealTimer[] = [];

  watch(): void {
    const made = this.#made;
    Object.defineProperty(prototype, '_destroyed', {
      configurable: true,
      get: () => false,
      set(this: RealTimer, value: boolean) {
        Object.defineProperty(this, '_destroyed', {
          value,
          writable: true,
          enumerable: true,
          configurable: true,
        });
        made.push(this);
      },
    });
  }

  stop(): void {
    delete (prototype as { _destroyed?: boolean })._destroyed;
  }

  /** True while one of them is to come that somebody waits for. */
  arePending(): boolean {
    const made = this.#made;
    if (made.length === 0) return false;
    const pending = made.filter((timer) => !timer._destroyed);
    made.splice(0, made.length, ...pending);
    return pending.some((timer) => timer.hasRef());
  }
}
