import { real } from './real.js';

/** Lets one waiter wait, in real time, for anything to change. */
export class Change {
  #wake: (() => void) | undefined;

  /** Something has changed. */
  readonly tell = (): void => this.#wake?.();

  /** Settles at the next change, at the latest after `ms`. */
  next(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        real.clearTimeout(timer);
        this.#wake = undefined;
        resolve();
      };
      const timer = real.setTimeout(done, Math.max(1, ms));
      this.#wake = done;
    });
  }

  /** True as soon as `holds` gives true; false after `ms`, or once `given up` gives true. */
  async until(holds: () => boolean, ms: number, givenUp: () => boolean): Promise<boolean> {
    const latest = real.performanceNow() + ms;
    while (!holds()) {
      const left = latest - real.performanceNow();
      if (left <= 0 || givenUp()) return false;
      await this.next(left);
    }
    return true;
  }
}
