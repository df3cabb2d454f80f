const PAUSE_FACTOR = 60;

/**
 * The pause after work that began at `start` (of `performance.now()`), ms: a multiple of the work's duration, so that clients are served.
 */
export function computePause(start: number): number {
  return (performance.now() - start) * PAUSE_FACTOR;
}
