import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, type BrowserContextOptions, type Page, chromium as playwright } from 'playwright-core';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { chromium, PAGE_GUARD_MS } from '../report/browser.js';
import { listBarriers } from './barriers.js';

interface FilePage {
  page: Page;
  /** Errors, messages, dialogs and requests of the page. */
  said: string[];
  barriers: () => Promise<string[]>;
}

/** One browser for the tests of a `describe`; the function opens HTML from a file. */
export function useFilePage(): (
  html: string,
  options?: BrowserContextOptions,
  hash?: string,
) => Promise<FilePage> {
  const directory = mkdtempSync(join(tmpdir(), 'taskdouble-page-'));
  let browser: Browser;
  let page: Page | undefined;
  beforeAll(async () => {
    browser = await playwright.launch({ executablePath: chromium!, args: ['--no-sandbox'] });
  });
  afterEach(() => page?.close());
  afterAll(async () => {
    await browser?.close();
    rmSync(directory, { recursive: true });
  });
  return async (html, options = {}, hash = '') => {
    const file = join(directory, 'page.html');
    writeFileSync(file, html);
    const opened = await browser.newPage(options);
    page = opened;
    page.setDefaultTimeout(PAGE_GUARD_MS);
    const said: string[] = [];
    opened.on('console', (message) => said.push(`${message.type()}: ${message.text()}`));
    opened.on('pageerror', (error) => said.push(String(error)));
    opened.on('dialog', (dialog) => said.push(`dialog: ${dialog.message()}`));
    opened.on('request', (request) => {
      if (!/^(file|data|blob):/.test(request.url())) said.push(`request: ${request.url()}`);
    });
    await opened.goto(pathToFileURL(file).href + hash);
    return { page: opened, said, barriers: () => listBarriers(opened) };
  };
}
