/**
 * The wall clock, but for its steps back: where it is set back, time goes on from where it was. Otherwise everything
 * that waits for time would wait until the wall clock is there again.
 */
export function monotonicClock(wall: () => number): () => number {
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
