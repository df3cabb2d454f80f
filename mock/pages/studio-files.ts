import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findPackageRoot } from '../../scenarios/format/library/package-root.js';
import { renderEmbeddedPage, type StudioFiles } from './studio-page.js';

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

/**
 * Renders the page as one file that contains studio's script and style sheet. `plain`: HTML for printing and for readers without
 * JavaScript. Throws an Error if studio is not built.
 */
export function renderSelfContainedPage(title: string, data: unknown, plain?: string): string {
  const { script, style } = readStudioFiles();
  const hashes = { script: hashText(script), style: hashText(style) };
  return renderEmbeddedPage(title, data, { script, style }, hashes, plain);
}

/** In the form of a content security policy. */
function hashText(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
