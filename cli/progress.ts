import { showSteps } from '../conformance/report/progress.js';

/** Shows progress on stderr during long work. */
export async function runWithProgress<T>(
  work: (onProgress: (describe: () => string) => void) => Promise<T>,
): Promise<T> {
  const { isTTY, columns } = process.stderr;
  const { show, erase } = showSteps({ isTTY, columns, write: (text) => process.stderr.write(text) });
  try {
    return await work(show);
  } finally {
    erase();
  }
}
