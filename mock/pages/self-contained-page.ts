import { createHash } from 'node:crypto';
import { studioFiles } from './studio-files.js';
import { embeddedPage } from './studio-page.js';

/**
 * The page as one file with studio's script and style sheet in it. `plain`: HTML for printing and for readers without JavaScript. Throws an
 * Error where studio has not been built.
 */
export function selfContainedPage(title: string, data: unknown, plain?: string): string {
  const files = studioFiles();
  const hashes = { script: hashOf(files.script), style: hashOf(files.style) };
  return embeddedPage(title, data, files, hashes, plain);
}

/** In the form of a content security policy. */
function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
