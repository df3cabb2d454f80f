import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../scenarios/format/library/package-root.js';
import { embeddedPage, type StudioFiles } from './page.js';

let files: StudioFiles | undefined;

/** The built app. Throws an Error where it has not been built: a clone that was only compiled. */
export function studioFiles(): StudioFiles {
  if (files) return files;
  const directory = join(packageRoot(), 'dist/studio');
  try {
    const read = (name: string) => readFileSync(join(directory, name), 'utf8');
    // The end of a script element within a text of the script would end it.
    files = { script: read('studio.js').replaceAll('</script', '<\\/script'), style: read('studio.css') };
    return files;
  } catch (cause) {
    throw new Error('Studio has not been built. Run "npm run build" in the directory of taskdouble.', {
      cause,
    });
  }
}

/** A page in one file: what `view --out` and the HTML reports write. Throws like `studioFiles`. */
export function selfContainedPage(title: string, data: unknown, fallback?: string): string {
  const { script, style } = studioFiles();
  const hash = (text: string) => `sha256-${createHash('sha256').update(text).digest('base64')}`;
  const hashes = { script: hash(script), style: hash(style) };
  return embeddedPage(title, data, { script, style }, hashes, fallback);
}
