/**
 * Runs `start` for the items, at most `jobs` at a time, and passes the results to `finish` in the order of the items, one at
 * a time. Starts no item after `isOver` returns true; items that are running are finished.
 */
export async function runInOrder<T, R>(
  items: Iterable<T>,
  jobs: number,
  start: (item: T) => Promise<R>,
  finish: (item: T, result: R) => Promise<void> | void,
  isOver: () => boolean,
): Promise<void> {
  const started: { item: T; result: Promise<R> }[] = [];
  const running = new Set<Promise<unknown>>();
  const finishFirst = async () => {
    const { item, result } = started.shift()!;
    await finish(item, await result);
  };
  for (const item of items) {
    if (isOver()) break;
    if (jobs === 1) {
      await finish(item, await start(item));
      continue;
    }
    const result = start(item);
    const markDone = () => running.delete(settled);
    const settled: Promise<unknown> = result.then(markDone, markDone);
    running.add(settled);
    started.push({ item, result });
    if (running.size >= jobs) await Promise.race(running);
    // A slow first item delays the completion of later ones, not their start.
    while (started.length >= 4 * jobs) await finishFirst();
  }
  while (started.length > 0) await finishFirst();
}
