import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Directory of the package, from the source as well as from `dist/`: schemas, scenarios and fixtures lie below it. */
export function findPackageRoot(): string {
  let directory = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(directory, 'package.json'))) {
    const above = dirname(directory);
    if (above === directory) throw new Error(`No package.json in any directory above ${import.meta.url}.`);
    directory = above;
  }
  return directory;
}
