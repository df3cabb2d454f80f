import type { Scenario } from '../types.js';

let library: Promise<Scenario[]> | undefined;

/**
 * The scenarios that come with the package, sorted by name; read once in a process. Throws if a file of the package is
 * invalid or missing.
 */
export async function loadLibrary(): Promise<Scenario[]> {
  library ??= importCompiledLibrary().then(
    async (compiled) => compiled ?? (await import('../load/load.js')).readLibrary(),
  );
  // Each caller gets a copy, so that its changes do not affect other callers.
  return structuredClone(await library);
}

/**
 * The library that the build compiled, which loads much faster than the YAML files. Imported, not read, so that
 * bundles for browsers include it. Undefined without a build.
 */
async function importCompiledLibrary(): Promise<Scenario[] | undefined> {
  try {
    // @ts-expect-error: there once the package is built
    return (await import('./library.json', { with: { type: 'json' } })).default as Scenario[];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    return undefined;
  }
}
