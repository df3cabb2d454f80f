import type { Scenario } from './types.js';

/** The scenarios that come with the package, sorted by name. Throws when a file of the package is broken or gone. */
export async function loadLibrary(): Promise<Scenario[]> {
  const { readFile } = await import('node:fs/promises');
  try {
    // Made by the build: reading it takes a fraction of what reading the YAML files takes.
    return JSON.parse(await readFile(new URL('./library.json', import.meta.url), 'utf8')) as Scenario[];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return readLibrary();
  }
}

/** The same from the YAML files. `file` is relative to the package. */
export async function readLibrary(): Promise<Scenario[]> {
  const [{ loadScenarios }, { packageRoot }, { FOLDERS }, { existsSync }, { join, relative, sep }] =
    await Promise.all([
      import('./load.js'),
      import('./package-root.js'),
      import('./folders.js'),
      import('node:fs'),
      import('node:path'),
    ]);
  const root = packageRoot();
  const library = join(root, 'scenarios');
  if (!FOLDERS.some((folder) => existsSync(join(library, folder)))) return [];
  const { scenarios, problems } = await loadScenarios([library]);
  if (problems.length > 0) {
    const lines = problems.map(({ file, line, column, message }) => `${file}:${line}:${column}: ${message}`);
    throw new Error(`The package's own scenarios are broken:\n${lines.join('\n')}`);
  }
  return scenarios.map((scenario) => ({
    ...scenario,
    file: relative(root, scenario.file!).split(sep).join('/'),
  }));
}
