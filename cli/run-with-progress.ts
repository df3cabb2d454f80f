import { showSteps } from '../conformance/report/progress.js';

/** Does what may take long, and meanwhile shows on stderr how far it has come. */
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
