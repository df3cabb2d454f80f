import type { ServiceTime } from '../../../mock/virtual-time/time-policy.js';

/** A service without any events. */
export function createStalledService(startMs: number): ServiceTime {
  let now = startMs;
  return {
    now: () => now,
    next: () => Infinity,
    advanceTo: async (at) => {
      now = at;
    },
    countArrived: () => 0,
    countResponded: () => 0,
    countWaiting: () => 0,
    countProgress: () => 0,
  };
}
