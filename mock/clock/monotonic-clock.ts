/**
 * The wall clock without steps back: when it is set back, time continues from where it was. Otherwise everything
 * that waits for time would wait until the wall clock has caught up.
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
