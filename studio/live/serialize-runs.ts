/**
 * Runs `run` when the returned function is called; where a run is under way, once more after it, however often it was called.
 * `run` resolves to the pause until the next one, ms.
 */
export function serializeRuns(run: () => Promise<number>): () => void {
  let isBusy = false;
  let isWanted = false;
  const runAll = async () => {
    isBusy = true;
    while (isWanted) {
      isWanted = false;
      const pauseMs = await run();
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
    isBusy = false;
  };
  return () => {
    isWanted = true;
    if (!isBusy) void runAll();
  };
}
