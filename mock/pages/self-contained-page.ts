import { createHash } from 'node:crypto';
import { readStudioFiles } from './studio-files.js';
import { renderEmbeddedPage } from './studio-page.js';

/**
 * Renders the page as one file that contains studio's script and style sheet. `plain`: HTML for printing and for readers without
 * JavaScript. Throws an Error if studio is not built.
 */
export function renderSelfContainedPage(title: string, data: unknown, plain?: string): string {
  const files = readStudioFiles();
  const hashes = { script: hashText(files.script), style: hashText(files.style) };
  return renderEmbeddedPage(title, data, files, hashes, plain);
}

/** In the form of a content security policy. */
function hashText(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
