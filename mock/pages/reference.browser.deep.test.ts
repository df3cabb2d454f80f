import { type Browser, chromium as playwright } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startMock } from '../../test/support/mock/mock.js';
import { chromium } from '../../test/support/report/browser.js';
import { requireBrowser } from '../../test/support/report/require-browser.js';
import { listBarriers } from '../../test/support/studio/barriers.js';

requireBrowser('the API reference');

describe.skipIf(chromium === undefined)('the API reference in Chromium', () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await playwright.launch({ executablePath: chromium!, args: ['--no-sandbox'] });
  });
  afterAll(() => browser?.close());

  async function open(viewport = { width: 1280, height: 800 }) {
    const { control } = await startMock();
    const { baseUrl: url } = await control.listen({ port: 0 });
    const page = await browser.newPage({ viewport });
    const problems: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') problems.push(message.text());
    });
    page.on('pageerror', (error) => problems.push(String(error)));
    page.on('request', (request) => {
      if (!request.url().startsWith(url)) problems.push(request.url());
    });
    const close = async () => {
      await page.close();
      await control.close();
    };
    return { page, url, problems, close };
  }

  it('finds an operation, sends a request to this mock, and leads to the exchange in studio', async () => {
    const { page, url, problems, close } = await open();
    await page.goto(`${url}/docs`);
    await page.getByLabel('Filter').fill('usage');
    expect(await page.locator('.operations li:visible a[href="#getUsage"]').count()).toBe(1);
    await page.locator('.operations a[href="#getUsage"]').click();
    await page.locator('#getUsage summary').click();
    const response = page.waitForResponse(`${url}/api/v1/usage`);
    await page.locator('#getUsage').getByRole('button', { name: 'Send' }).click();
    expect((await response).status()).toBe(200);
    await page.locator('#getUsage output', { hasText: '"credits"' }).waitFor();
    await page.locator('#getUsage').getByRole('button', { name: 'Recorded exchanges' }).click();
    await page.locator('#getUsage .recorded a').click();
    await page.locator('.inspector', { hasText: 'getUsage' }).waitFor();
    expect(problems).toEqual([]);
    await close();
  });

  it('has a body that the service accepts, and no barrier in light, in dark and on a phone', async () => {
    const { page, url, problems, close } = await open();
    await page.goto(`${url}/docs#createTask`);
    await page.locator('#createTask summary').click();
    await page.locator('#createTask').getByRole('button', { name: 'Send' }).click();
    await page.locator('#createTask output', { hasText: '"id"' }).waitFor();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await listBarriers(page)).toEqual([]);
    }
    await page.setViewportSize({ width: 375, height: 700 });
    expect(await listBarriers(page)).toEqual([]);
    const overflow = () => document.documentElement.scrollWidth - document.documentElement.clientWidth;
    expect(await page.evaluate(overflow)).toBeLessThanOrEqual(0);
    for (const name of ['requirements', 'studio', 'why-does-my-client-hang']) {
      await page.goto(`${url}/__studio/docs/${name}`);
      expect(await listBarriers(page)).toEqual([]);
      expect(await page.evaluate(overflow)).toBeLessThanOrEqual(0);
    }
    expect(problems).toEqual([]);
    await close();
  });
});
