import { existsSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { loadScenarios } from '../load/load.js';
import type { Scenario } from '../types.js';
import { FOLDERS } from './folders.js';
import { packageRoot } from './package-root.js';

/** The library from its YAML files. Empty if the package has none; throws if one of them is invalid. */
export async function readLibraryFiles(): Promise<Scenario[]> {
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
