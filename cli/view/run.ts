import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { checkWritable, writeOutput } from '../judging/outputs.js';
import { closeOnSignal } from '../mock/listen.js';
import { openBrowser } from '../open-browser.js';
import { print, printWarning } from '../print.js';
import type { ViewFlags } from '../view.js';
import { readPage } from './read-page.js';
import { servePage } from './serve-page.js';

/** Serves or writes the page of these files. Throws UsageError, InvalidFile and ReportError. */
export async function runView(files: readonly string[], { out, open }: ViewFlags): Promise<void> {
  if (out !== undefined) checkWritable('--out', out);
  const { html, notes } = await readPage(files);
  for (const note of notes) printWarning(note);
  if (out !== undefined) {
    if (!writeOutput('--out', out, html)) return;
    await print(`${out}\n`);
    if (open) await openBrowser(pathToFileURL(resolve(out)).href);
    return;
  }
  const { address, close } = await servePage(html);
  closeOnSignal(close);
  await print(`The page is at ${address} until Ctrl-C.\n`);
  if (open) await openBrowser(address);
}
