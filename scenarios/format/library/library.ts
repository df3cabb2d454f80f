import type { Scenario } from '../types.js';

let library: Promise<Scenario[]> | undefined;

/**
 * The scenarios that come with the package, sorted by name; read once in a process. Throws when a file of the package is
 * broken or gone.
 */
export async function loadLibrary(): Promise<Scenario[]> {
  library ??= compiledLibrary().then((compiled) => compiled ?? readLibrary());
  // Each caller has its own: what one does to it must not reach another.
  return structuredClone(await library);
}

/**
 * What the build has made: loading it takes a fraction of what reading the YAML files takes. Imported, not read, so that
 * bundles for browsers take it along. Undefined where nothing was built.
 */
async function compiledLibrary(): Promise<Scenario[] | undefined> {
  try {
    // @ts-expect-error: there once the package is built
    return (await import('./library.json', { with: { type: 'json' } })).default as Scenario[];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    return undefined;
  }
}

/** The same from the YAML files. `file` is relative to the package. */
export async function readLibrary(): Promise<Scenario[]> {
  const { readLibraryFiles } = await import('./library-files.js');
  return readLibraryFiles();
}
