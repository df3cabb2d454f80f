import { strToU8, zipSync } from 'fflate';
import { createBodies, type NamedValue } from '../test-case/requests.js';

/** A one-shot task at minimal cost. */
export const CHEAP_TASK = 'Say hello and finish at once. Open no page.';

/** Name of the file in a form. */
export const FILE_NAME = 'hello.txt';

/** The task of a chat or an automation. */
export function createTaskText(word: string): string {
  return `Open https://example.com and tell me its title (${word}).`;
}

/** A message with a file under each of these names. */
export function createMessageForm(
  texts: readonly string[],
  files: readonly string[],
  { text = CHEAP_TASK, filename = FILE_NAME } = {},
): FormData {
  const form = new FormData();
  for (const name of texts) form.append(name, text);
  // A service may store files of equal content as one file.
  for (const name of files)
    form.append(name, new Blob([`hello ${filename}`], { type: 'text/plain' }), filename);
  return form;
}

/** An extension without effect, in a form part of this name. */
export function createExtensionForm(part: string, name = 'nothing'): FormData {
  const form = new FormData();
  form.append(part, new Blob([createExtension(name)], { type: 'application/zip' }), `${name}.zip`);
  return form;
}

/** The archive of an extension without effect. */
export function createExtension(name: string, description = 'No effect.'): Uint8Array<ArrayBuffer> {
  const manifest = { manifest_version: 3, name, version: '1.0.0', description };
  const files = { 'manifest.json': strToU8(JSON.stringify(manifest)) };
  return zipSync(files, { mtime: '2024-01-01' }) as Uint8Array<ArrayBuffer>;
}

/** Requests with these values, by the names that a service may expect. */
export function createBodyRequests(...fields: readonly NamedValue[]) {
  return createBodies(...fields).map((body) => ({ body }));
}
