import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { chromium } from '../test/support/report/browser.js';
import { requireBrowser } from '../test/support/report/require-browser.js';
import { useLivePage } from '../test/support/studio/use-live-page.js';

requireBrowser('whether studio stays at the end');

describe.skipIf(chromium === undefined)('the end of a conversation', () => {
  const open = useLivePage();

  const readTop = (scroller: Locator) => scroller.evaluate(({ scrollTop }) => Math.round(scrollTop));
  const readDistance = (scroller: Locator) =>
    scroller.evaluate(({ scrollTop, clientHeight, scrollHeight }) => scrollHeight - clientHeight - scrollTop);

  async function wheelUp(page: Page, scroller: Locator): Promise<number> {
    const before = await readTop(scroller);
    await scroller.hover();
    await page.mouse.wheel(0, -300);
    await expect.poll(() => readTop(scroller)).toBe(before - 300);
    return before - 300;
  }

  for (const [view, selector] of [
    ['Diagram', '.scroller'],
    ['Log', '.log'],
  ] as const)
    it(`stays where the reader is, and counts what is new: ${view}`, async () => {
      const { page, create, send, item, button, appears, said } = await open();
      const id = await create('Busy');
      // Each is refused, so that it is a row of its own.
      const sendMany = async (count: number) => {
        for (let n = 0; n < count; n++) await send('POST', `/task/${id}/event`, { name: 7 });
      };
      await sendMany(50);
      await item('Busy').click();
      await appears('.tabs', '51 exchanges');
      await page.getByRole('tab', { name: view }).click();
      const scroller = page.locator(selector);
      await expect.poll(() => readDistance(scroller)).toBeLessThan(8);
      await sendMany(1);
      await appears('.tabs', '52 exchanges');
      await expect.poll(() => readDistance(scroller)).toBeLessThan(8);

      const top = await wheelUp(page, scroller);
      const follow = button('Follow');
      await expect.poll(() => follow.getAttribute('aria-pressed')).toBe('false');
      await sendMany(12);
      await appears('.tabs', '64 exchanges');
      expect(await readTop(scroller)).toBe(top);
      if (view === 'Diagram') await button('↓ 12 new').click();
      else await follow.click();
      await expect.poll(() => readDistance(scroller)).toBeLessThan(8);
      if (view === 'Log')
        for (const isWrapped of ['true', 'false']) {
          await button('Wrap').click();
          await expect.poll(() => button('Wrap').getAttribute('aria-pressed')).toBe(isWrapped);
          await expect.poll(() => readDistance(scroller)).toBeLessThan(8);
        }
      expect(await follow.getAttribute('aria-pressed')).toBe('true');

      await wheelUp(page, scroller);
      await expect.poll(() => follow.getAttribute('aria-pressed')).toBe('false');
      await page.mouse.wheel(0, 10_000);
      await expect.poll(() => follow.getAttribute('aria-pressed')).toBe('true');
      await sendMany(1);
      await appears('.tabs', '65 exchanges');
      await expect.poll(() => readDistance(scroller)).toBeLessThan(8);
      expect(said).toEqual([]);
    });

  it('goes on following when only the layout moves the position', async () => {
    const { page, create, send, item, button, appears, said } = await open();
    const id = await create('Busy');
    for (let n = 0; n < 50; n++) await send('POST', `/task/${id}/event`, { name: 7 });
    await item('Busy').click();
    await appears('.tabs', '51 exchanges');
    const scroller = page.locator('.scroller');
    await expect.poll(() => readDistance(scroller)).toBeLessThan(8);
    const follow = button('Follow');
    // The part above goes, which moves the position back, and the content grows before the page has seen that.
    const moved = await scroller.evaluate((element) => {
      const before = element.scrollTop;
      document.querySelector<HTMLElement>('.about')!.style.display = 'none';
      const after = element.scrollTop;
      document.querySelector<HTMLElement>('[aria-label="Larger"]')!.click();
      return before - after;
    });
    expect(moved).toBeGreaterThan(8);
    await appears('.zoom', '125 %');
    expect(await follow.getAttribute('aria-pressed')).toBe('true');
    await expect.poll(() => readDistance(scroller)).toBeLessThan(8);
    await send('POST', `/task/${id}/event`, { name: 7 });
    await appears('.tabs', '52 exchanges');
    await expect.poll(() => readDistance(scroller)).toBeLessThan(8);

    await wheelUp(page, scroller);
    await expect.poll(() => follow.getAttribute('aria-pressed')).toBe('false');
    await follow.click();
    await expect.poll(() => readDistance(scroller)).toBeLessThan(8);
    await scroller.press('Home');
    await expect.poll(() => follow.getAttribute('aria-pressed')).toBe('false');
    await follow.click();
    await expect.poll(() => readDistance(scroller)).toBeLessThan(8);
    await page.locator('.time-strip').click({ position: { x: 200, y: 20 } });
    await expect.poll(() => follow.getAttribute('aria-pressed')).toBe('false');
    expect(said).toEqual([]);
  });

  it('shows a conversation that is over from its beginning, and an unfold keeps its place', async () => {
    const { page, mock, create, send, item, appears } = await open();
    const id = await create('Over');
    for (let n = 0; n < 40; n++) await send('GET', `/task/${id}?event_t=0`);
    for (let n = 0; n < 30; n++) await send('POST', `/task/${id}/event`, { name: 7 });
    await mock.injectStep(id, { service: 'finish', status: 'done' });
    await item('Over').click();
    await appears('.about .status', 'done');
    await appears('.tabs', '71 exchanges');
    const scroller = page.locator('.scroller');
    expect(await readTop(scroller)).toBe(0);
    await page.locator('.diagram .fold').first().click();
    await page.locator('.diagram .row[data-seq="4"]').waitFor();
    expect(await readTop(scroller)).toBe(0);
    // The reader was at the end: that drags nothing either.
    await scroller.evaluate((element) => {
      element.scrollTop = element.scrollHeight;
    });
    await page.locator('.diagram .row[data-seq="71"]').waitFor();
    expect(await page.locator('.pill').count()).toBe(0);
  });
});
