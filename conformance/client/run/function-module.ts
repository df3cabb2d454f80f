import { pathToFileURL } from 'node:url';
import { prepareVirtualTime } from '../../../mock/virtual-time/virtual-run.js';
import type { ClientFunction } from '../types.js';

/**
 * The client function of a module: its export `run`, or its default export; undefined where there is none, with the names of the
 * exports. Rejects where the module cannot be loaded.
 */
export async function loadFunction(
  path: string,
): Promise<{ run: ClientFunction | undefined; exports: string[] }> {
  // What its modules keep when they are loaded (`const sleep = promisify(setTimeout)`) follows the run.
  const restoreTime = prepareVirtualTime();
  try {
    const module = await import(pathToFileURL(path).href);
    const run = [module.run, module.default, module.default?.run].find((each) => typeof each === 'function');
    return { run, exports: Object.keys(module) };
  } finally {
    restoreTime();
  }
}
