import type { ServiceTime } from '../../../mock/virtual-time/time-policy.js';

/** A service at which nothing ever happens. */
export function still(startMs: number): ServiceTime {
  let now = startMs;
  return {
    now: () => now,
    next: () => Infinity,
    advanceTo: async (at) => {
      now = at;
    },
    arrived: () => 0,
    responded: () => 0,
    waiting: () => 0,
    progress: () => 0,
  };
}
