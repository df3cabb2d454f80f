/** What is watched, and what to do when it changes. */
export interface Watched {
  paths: readonly string[];
  reload: () => Promise<void>;
}

/** A save touches a file several times: it is read once it has been still for so long, ms. */
const STILL_MS = 80;

/** Watches files and directories; resolves once no change can be missed any more. Returns what ends it. */
export async function watchFiles(watched: readonly Watched[]): Promise<() => Promise<void>> {
  if (watched.length === 0) return async () => {};
  const { watch } = await import('chokidar');
  const watchers = await Promise.all(
    watched.map(async ({ paths, reload }) => {
      const again = oneAtATime(reload);
      const watcher = watch([...paths], {
        ignoreInitial: true,
        awaitWriteFinish: { stabilityThreshold: STILL_MS, pollInterval: STILL_MS / 4 },
      });
      watcher.on('add', again).on('change', again).on('unlink', again);
      await new Promise<void>((resolve, reject) => watcher.once('ready', resolve).once('error', reject));
      return watcher;
    }),
  );
  return async () => {
    await Promise.all(watchers.map((watcher) => watcher.close()));
  };
}

/** Runs `work`, and once more after it when it was asked for meanwhile. */
function oneAtATime(work: () => Promise<void>): () => void {
  let running = false;
  let again = false;
  const run = async () => {
    if (running) {
      again = true;
      return;
    }
    running = true;
    do {
      again = false;
      await work();
    } while (again);
    running = false;
  };
  return () => void run();
}
