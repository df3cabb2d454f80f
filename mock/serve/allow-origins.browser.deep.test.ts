import { type Browser, chromium as playwright } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromium } from '../../test/support/report/browser.js';
import { requireBrowser } from '../../test/support/report/require-browser.js';
import { serveDirectory } from '../../test/support/static-server.js';
import { Mock } from '../mock.js';

requireBrowser('a page of another origin');

describe.skipIf(chromium === undefined)('a page of another origin in Chromium', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await playwright.launch({ executablePath: chromium!, args: ['--no-sandbox'] });
  });
  afterAll(() => browser?.close());

  it('sends the key in a cookie, uploads a file, and cannot use the admin API', async () => {
    const mock = new Mock({ clock: 'manual' });
    const { baseUrl } = await mock.listen();
    const server = await serveDirectory(import.meta.dirname);
    const page = await browser.newPage();
    await page.goto(server.origin);
    const result = await page.evaluate(async (baseUrl) => {
      // biome-ignore lint/suspicious/noDocumentCookie: a page with a cookie does this.
      document.cookie = 'apikey=k';
      const send = (path: string, init: RequestInit = {}) =>
        fetch(baseUrl + path, { credentials: 'include', ...init }).then(
          ({ status }) => status,
          (error: Error) => error.name,
        );
      const headers = { 'content-type': 'application/json' };
      const form = new FormData();
      form.set('file', new File(['tea'], 'a"b\\.txt'));
      return {
        read: await send('/api/v1/usage'),
        head: await send('/api/v1/usage', { method: 'HEAD' }),
        afterPreflight: await send('/api/v1/task', { method: 'POST', headers, body: '{"task":"tea"}' }),
        upload: await send('/api/v1/file', { method: 'POST', body: form }),
        refused: await send('/api/v1/nothing'),
        admin: await send('/__admin/health'),
      };
    }, baseUrl);
    const { files } = mock.snapshot('k').organisations[0]!.state.records;
    await Promise.all([page.close(), server.close(), mock.close()]);
    expect(result).toEqual({
      ...{ read: 200, head: 200, afterPreflight: 200, upload: 200, refused: 404 },
      admin: 'TypeError',
    });
    expect(files).toMatchObject([[expect.anything(), { name: 'a"b\\.txt', size: 3 }]]);
  });
});
