import { describe, expect, it } from 'vitest';
import { chromium } from '../../test/support/report/browser.js';
import { requireBrowser } from '../../test/support/report/require-browser.js';
import { countClicks } from '../../test/support/studio/count-clicks.js';
import { usePictures } from '../../test/support/studio/use-pictures.js';
import { useStudio } from '../../test/support/studio/use-studio.js';

requireBrowser('a session of 20 actions');

const ACTIONS = 20;
const POLLS = 15;

describe.skipIf(chromium === undefined)('a session of 20 actions and 300 polls', () => {
  const openStudio = useStudio();
  const picture = usePictures();

  async function open() {
    const opened = await openStudio({ clock: 'manual' }, { viewport: { width: 1440, height: 900 } });
    const { mock, baseUrl } = opened;
    const send = async (method: string, path: string, body?: object) => {
      const response = await mock.fetch(`${baseUrl}/api/v1/task${path}`, {
        method,
        headers: { apikey: 'a', 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      });
      return ((await response.json()) as { r: { id: string; events: { timestamp: number }[] } }).r;
    };
    const { id } = await send('POST', '', { task: null, url: 'https://shop.test/' });
    let from = 0;
    for (let action = 0; action < ACTIONS; action++) {
      const payload = { name: 'goto', input: { url: `https://shop.test/page-${action}` } };
      const event = { id: `a${action}`, name: 'browser_action', payload, timestamp: mock.clock.now('a') };
      await send('POST', `/${id}/event`, event);
      for (let poll = 0; poll < POLLS; poll++) {
        await mock.clock.set({ advance: '400ms' }, 'a');
        const { events } = await send('GET', `/${id}?event_t=${from}`);
        from = Math.max(from, ...events.map(({ timestamp }) => timestamp));
      }
    }
    return opened;
  }

  it('fits on one screen, and the strip above it moves to any part of it', async () => {
    const { page, said } = await open();
    const clicks = await countClicks(page);
    await page.locator('.item').first().click();
    await page.getByRole('button', { name: 'Only actions' }).click();
    const rows = page.locator('.diagram .fold', { hasText: 'goto' });
    await rows.nth(ACTIONS - 1).waitFor();
    const isCut = () =>
      page.locator('.scroller').evaluate((element) => element.scrollHeight > element.clientHeight);
    expect(await isCut()).toBe(false);
    expect(await rows.nth(7).textContent()).toMatch(/page-7.*result 200/);
    expect(await clicks()).toBeLessThanOrEqual(2);
    await picture(page, 'long-session');

    // The whole conversation again: a click in the strip moves to the middle of it.
    await page.getByRole('button', { name: 'Only actions' }).click();
    const strip = page.getByRole('slider', { name: 'Overview' });
    const { width, height } = (await strip.boundingBox())!;
    await strip.click({ position: { x: width * 0.55, y: height / 2 } });
    await page.locator('.diagram .row', { hasText: 'page-10' }).waitFor();
    expect(await page.locator('.diagram .row', { hasText: 'page-19' }).count()).toBe(0);
    const place = async () => Number(await strip.getAttribute('aria-valuenow'));
    await expect.poll(place).toBeLessThan(60);
    const before = await place();
    await strip.focus();
    await page.keyboard.press('End');
    await page.locator('.diagram .row', { hasText: 'page-19' }).waitFor();
    await expect.poll(place).toBeGreaterThan(before);
    expect(said).toEqual([]);
  });
});
