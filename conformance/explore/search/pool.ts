/**
 * Starts `start` for the items, so many at the same time at most, and hands what comes out to `finish` in the order of
 * the items, one at a time. Takes no further item once `isOver` says so; what is under way is finished.
 */
export async function inOrder<T, R>(
  items: Iterable<T>,
  jobs: number,
  start: (item: T) => Promise<R>,
  finish: (item: T, result: R) => Promise<void> | void,
  isOver: () => boolean,
): Promise<void> {
  if (jobs === 1) {
    for (const item of items) {
      if (isOver()) return;
      await finish(item, await start(item));
    }
    return;
  }
  const line: { item: T; result: Promise<R> }[] = [];
  const running = new Set<Promise<unknown>>();
  const finishFirst = async () => {
    const { item, result } = line.shift()!;
    await finish(item, await result);
  };
  for (const item of items) {
    if (isOver()) break;
    const result = start(item);
    const done = () => running.delete(over);
    const over: Promise<unknown> = result.then(done, done);
    running.add(over);
    line.push({ item, result });
    if (running.size >= jobs) await Promise.race(running);
    // A slow one in front keeps others from being finished, not from being run.
    while (line.length >= 4 * jobs) await finishFirst();
  }
  while (line.length > 0) await finishFirst();
}
