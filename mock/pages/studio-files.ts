import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findPackageRoot } from '../../scenarios/format/library/package-root.js';
import type { StudioFiles } from './studio-page.js';

let files: StudioFiles | undefined;

/** The built app. Throws an Error if it is not built, as in a clone that was only compiled. */
export function readStudioFiles(): StudioFiles {
  if (files) return files;
  const directory = join(findPackageRoot(), 'dist/studio');
  try {
    const read = (name: string) => readFileSync(join(directory, name), 'utf8');
    // The end tag of a script element within the script would end it.
    files = { script: read('studio.js').replaceAll('</script', '<\\/script'), style: read('studio.css') };
    return files;
  } catch (cause) {
    throw new Error('Studio has not been built. Run "npm run build" in the directory of taskdouble.', {
      cause,
    });
  }
}
