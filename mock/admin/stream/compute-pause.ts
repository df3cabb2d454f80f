const PAUSE_FACTOR = 60;

/** How long to wait after work that began at `start` (of `performance.now()`), ms: many times its duration, in which clients are served. */
export function computePause(start: number): number {
  return (performance.now() - start) * PAUSE_FACTOR;
}
