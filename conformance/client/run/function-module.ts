import { pathToFileURL } from 'node:url';
import { prepareVirtualTime } from '../../../mock/virtual-time/virtual-run.js';
import type { ClientFunction } from '../types.js';

/**
 * Loads the client function of a module: its export `run`, or its default export. Undefined if there is none. Rejects if the module
 * cannot be loaded.
 */
export async function loadFunction(
  path: string,
): Promise<{ run: ClientFunction | undefined; exports: string[] }> {
  // References that modules keep at load time (`const sleep = promisify(setTimeout)`) have to follow virtual time.
  const restoreTime = prepareVirtualTime();
  try {
    const module = await import(pathToFileURL(path).href);
    const run = [module.run, module.default, module.default?.run].find((each) => typeof each === 'function');
    return { run, exports: Object.keys(module) };
  } finally {
    restoreTime();
  }
}
