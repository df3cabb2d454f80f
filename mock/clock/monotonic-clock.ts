/**
 * A wall clock that never goes back: if the system clock is set back, time continues from its latest value.
 * Otherwise all timers would wait until the system clock has caught up.
 */
export function createMonotonicClock(wall: () => number): () => number {
  let latest = wall();
  let lost = 0;
  return () => {
    const now = wall() + lost;
    if (now >= latest) {
      latest = now;
      return now;
    }
    lost += latest - now;
    return latest;
  };
}
