import { setTimeout } from 'node:timers/promises';

/** Time as a run of the suite sees it: real, or moved by hand together with a mock's. */
export interface Clock {
  /** ms. */
  now(): number;
  /** Resolves after `ms`, at once when `signal` is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export const realClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) => setTimeout(ms, undefined, signal && { signal }).catch(() => {}),
};
