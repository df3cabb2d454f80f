import { type Browser, type BrowserContextOptions, type Page, chromium as playwright } from 'playwright-core';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { Mock } from '../../../mock/mock.js';
import type { MockOptions } from '../../../mock/options/mock-options.js';
import { chromium, PAGE_GUARD_MS } from '../report/browser.js';

interface OpenStudio {
  mock: Mock;
  baseUrl: string;
  page: Page;
  /** Errors of the page, dialogs (which are accepted), and requests to other servers. */
  said: string[];
}

/** One browser for the tests of a `describe`; the function opens a new mock and page for each test. */
export function useStudio(): (mock: MockOptions, page: BrowserContextOptions) => Promise<OpenStudio> {
  let browser: Browser;
  let open: OpenStudio | undefined;
  beforeAll(async () => {
    browser = await playwright.launch({ executablePath: chromium!, args: ['--no-sandbox'] });
  });
  afterEach(async () => {
    await open?.page.close();
    await open?.mock.close();
  });
  afterAll(() => browser?.close());
  return async (mockOptions, pageOptions) => {
    const mock = new Mock(mockOptions);
    const { baseUrl } = await mock.listen();
    const page = await browser.newPage(pageOptions);
    page.setDefaultTimeout(PAGE_GUARD_MS);
    const said: string[] = [];
    open = { mock, baseUrl, page, said };
    page.on('pageerror', (error) => said.push(String(error)));
    page.on('dialog', (dialog) => {
      said.push(`dialog: ${dialog.message()}`);
      void dialog.accept();
    });
    page.on('request', (request) => {
      const url = request.url();
      // A test opened the file: a page from a server cannot.
      const isFile = request.isNavigationRequest() && url.startsWith('file:');
      if (!url.startsWith(baseUrl) && !/^(data|blob):/.test(url) && !isFile) said.push(url);
    });
    await page.goto(baseUrl);
    return open;
  };
}
