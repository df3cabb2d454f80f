import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { Mock } from '../../mock/mock.js';
import { chromium } from '../../test/support/report/browser.js';
import { requireBrowser } from '../../test/support/report/require-browser.js';
import { useStudio } from '../../test/support/studio/use-studio.js';

requireBrowser('how studio loads many tasks');

const TASKS = 1200;

describe.skipIf(chromium === undefined)('studio while it loads', () => {
  const openStudio = useStudio();

  async function createTasks(mock: Mock, count: number, key = 'a') {
    const init = { method: 'POST', headers: { apikey: key, 'content-type': 'application/json' } };
    for (let n = 0; n < count; n++) {
      const response = await mock.fetch('http://mock/api/v1/task', { ...init, body: `{"task":"Task ${n}"}` });
      await response.text();
    }
  }
  const shows = (page: Page, text: string | RegExp) =>
    page.getByText(text, { exact: true }).first().waitFor();

  it('says so, instead of "No conversation yet", and lists each page as it comes', async () => {
    const { mock, page, said } = await openStudio({ clock: 'manual' }, {});
    await shows(page, 'No conversation yet');
    await createTasks(mock, TASKS);
    /** Releases the requests for tasks one by one. */
    const held: (() => void)[] = [];
    await page.route(/\/__admin\/tasks\?/, async (route) => {
      await new Promise<void>((resolve) => held.push(resolve));
      await route.continue();
    });
    // The stream begins after these tasks: only the list shows them.
    await page.route(/\/__admin\/stream/, (route) =>
      route.continue({ headers: { ...route.request().headers(), 'last-event-id': `org-1:${TASKS}` } }),
    );
    await page.reload();
    await expect.poll(() => held.length).toBe(1);
    await shows(page, 'Loading conversations …');
    expect(await page.getByText('No conversation yet').count()).toBe(0);
    expect(await page.getByText('live', { exact: true }).count()).toBe(0);
    held.shift()!();
    await page
      .locator('.item')
      .getByText(`Task ${TASKS - 1}`, { exact: true })
      .waitFor();
    await expect.poll(() => held.length).toBe(1);
    await shows(page, /^loading: 500 tasks so far$/);
    held.shift()!();
    await expect.poll(() => held.length).toBe(1);
    held.shift()!();
    await shows(page, 'live');
    expect(said).toEqual([]);
  });

  it('says how many keys are judged', async () => {
    let isHeld = false;
    let slices = 0;
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const readCpuMs = () => process.cpuUsage().user / 1000;
    const judge = Object.assign(
      () => {
        // Longer than a slice.
        for (const start = readCpuMs(); readCpuMs() - start < 40; );
        return [];
      },
      { ready: () => (isHeld && ++slices > 1 ? released : Promise.resolve()) },
    );
    const { mock, baseUrl, page: first } = await openStudio({ clock: 'manual', judge }, {});
    // Ends the stream of this page. Chromium may keep it open for a page that was only left.
    const page = await first.context().browser()!.newPage();
    await first.close();
    for (const key of ['a', 'b', 'c']) await createTasks(mock, 1, key);
    isHeld = true;
    await page.goto(baseUrl);
    // A slice may belong to the page that was closed.
    await shows(page, /^judging [01] of 3 keys$/);
    release();
    await page.getByText(/^judging/).waitFor({ state: 'hidden' });
    await page.close();
  });
});
