import { type Browser, chromium as playwright } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startMock } from '../../test/support/mock/mock.js';
import { chromium } from '../../test/support/report/browser.js';
import { requireBrowser } from '../../test/support/report/require-browser.js';

requireBrowser('the API reference');

describe.skipIf(chromium === undefined)('the API reference in Chromium', () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await playwright.launch({ executablePath: chromium!, args: ['--no-sandbox'] });
  });
  afterAll(() => browser?.close());

  it('shows an operation, and sends requests only to this mock', async () => {
    const { control } = await startMock();
    const { baseUrl: url } = await control.listen({ port: 0 });
    const page = await browser.newPage();
    const problems: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') problems.push(message.text());
    });
    page.on('pageerror', (error) => problems.push(String(error)));
    page.on('request', (request) => {
      if (!request.url().startsWith(url)) problems.push(request.url());
    });
    await page.goto(`${url}/docs`);
    await page.locator('[id="link-auth"]').click();
    await page.locator('.api-key-input').first().fill('demo');
    await page.getByText('SET', { exact: true }).first().click();
    await page.locator('[id="link-get-/usage"]').click();
    const response = page.waitForResponse(`${url}/api/v1/usage`);
    await page.locator('.btn-execute').click();
    expect((await response).status()).toBe(200);
    expect(problems).toEqual([]);
    await control.close();
  });
});
