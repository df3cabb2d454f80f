import { renderEmbeddedPage, STUDIO_PREFIX } from '../../mock/pages/studio-page.js';
import type { RecordingPage } from '../page-data.js';

/**
 * The conversation as one HTML file that shows it as studio does: with studio's own script and style sheet in it. Rejects
 * with an Error where the page cannot compute hashes: browsers allow that at this machine and over HTTPS only.
 */
export async function buildConversationPage(data: RecordingPage): Promise<string> {
  if (!globalThis.crypto?.subtle)
    throw new Error('The browser makes this file only at 127.0.0.1, at localhost or over HTTPS.');
  const [script, style] = await Promise.all([loadAsset('studio.js'), loadAsset('studio.css')]);
  const hashes = { script: await hashText(script), style: await hashText(style) };
  return renderEmbeddedPage(data.title, data, { script, style }, hashes);
}

async function loadAsset(name: string): Promise<string> {
  const response = await fetch(`${STUDIO_PREFIX}/${name}`);
  if (!response.ok) throw new Error(`${name} could not be loaded: ${response.status}.`);
  return await response.text();
}

/** In the form of a content security policy. */
async function hashText(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return `sha256-${btoa(String.fromCharCode(...new Uint8Array(digest)))}`;
}
