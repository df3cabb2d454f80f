import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { chromium } from '../test/support/report/browser.js';
import { requireBrowser } from '../test/support/report/require-browser.js';
import { useStudio } from '../test/support/studio/use-studio.js';

requireBrowser('studio under an admin token');

const TOKEN = 'correct horse';

describe.skipIf(chromium === undefined)('studio of a mock with an admin token', () => {
  const openStudio = useStudio();
  const isLive = (page: Page) => page.getByText('live', { exact: true }).waitFor();

  it('requests the token, reports a wrong one, and keeps it for the tab', async () => {
    const { mock, baseUrl, page, said } = await openStudio({ adminToken: TOKEN, clock: 'manual' }, {});
    const enter = async (text: string) => {
      await page.getByLabel('Admin token').fill(text);
      await page.keyboard.press('Enter');
    };
    await enter('no header ☃ holds this');
    await page.getByRole('alert').filter({ hasText: 'refused this token' }).waitFor();
    // The alert of the first token goes before this one is sent.
    const refusal = page.waitForResponse((response) => response.status() === 403);
    await enter('wrong');
    await refusal;
    await page.getByRole('alert').filter({ hasText: 'refused this token' }).waitFor();
    await enter(TOKEN);
    await isLive(page);
    // The stream is open, and controls are allowed.
    const body = JSON.stringify({ task: 'Find tea' });
    const headers = { apikey: 'a', 'content-type': 'application/json' };
    await mock.fetch(`${baseUrl}/api/v1/task`, { method: 'POST', headers, body });
    await page.locator('.item', { hasText: 'Find tea' }).click();
    await page.locator('.diagram .row').waitFor();
    await page.getByRole('button', { name: '+1 s' }).click();
    await page.getByRole('status').filter({ hasText: '1 s later' }).waitFor();
    await page.reload();
    await isLive(page);
    expect(await page.evaluate(() => document.cookie + Object.keys(localStorage))).toBe('');
    // The stored token is refused when the mock has another token.
    await page.evaluate(() => sessionStorage.setItem('taskdouble-admin-token', 'old'));
    await page.reload();
    await page.getByRole('alert').filter({ hasText: 'refused this token' }).waitFor();
    expect(said).toEqual([]);
  });

  it('reads the token from a link, and removes it from the address', async () => {
    const { baseUrl, page } = await openStudio({ adminToken: TOKEN }, {});
    await page.goto(`${baseUrl}/#token=${encodeURIComponent(TOKEN)}&text=tea`);
    await isLive(page);
    expect(page.url()).toBe(`${baseUrl}/#text=tea`);
    expect(await page.evaluate(() => history.length)).toBeLessThan(4);
    await page.goBack();
    expect(page.url()).not.toContain('token');
  });
});
