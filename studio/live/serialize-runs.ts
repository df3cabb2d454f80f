/**
 * Returns a function that starts `run`. Calls during a run start one more run after it. `run` resolves to the pause before the next
 * run, ms.
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
