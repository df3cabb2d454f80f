import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readRecordingPage } from '../conformance/recordings/recording-page.js';
import { renderSelfContainedPage } from '../mock/pages/studio-files.js';
import type { Exchange } from '../spec/vocabulary.js';
import { chromium } from '../test/support/report/browser.js';
import { HOSTILE } from '../test/support/report/reports.js';
import { requireBrowser } from '../test/support/report/require-browser.js';
import { useFilePage } from '../test/support/studio/use-file-page.js';
import { usePictures } from '../test/support/studio/use-pictures.js';

requireBrowser('the page of a recording');

const FILES = ['fixtures/recordings/chrome.har', 'fixtures/conversations/session.jsonl'];
const PHONE = { viewport: { width: 375, height: 700 } };

describe.skipIf(chromium === undefined)('the page of a recording in Chromium', () => {
  const openFile = useFilePage();
  const picture = usePictures();

  async function open(options = {}, change = (exchanges: Exchange[]) => exchanges) {
    const { page } = await readRecordingPage(FILES.map((file) => join(import.meta.dirname, '..', file)));
    const data = { ...page, exchanges: change(page.exchanges) };
    return openFile(renderSelfContainedPage(page.title, data), { reducedMotion: 'reduce', ...options });
  }

  it('shows conversations from disk, a finding with its requirement, and the selection from the address', async () => {
    const { page, said, barriers } = await open({ viewport: { width: 1440, height: 860 } });
    await page.locator('.diagram .row.has-findings').first().click();
    await page.locator('.finding-box', { hasText: 'TOOL-03' }).waitFor();
    await picture(page, 'recording');
    expect(await barriers()).toEqual([]);
    await page.locator('.item').nth(1).click();
    await page.locator('.inspector').waitFor({ state: 'detached' });
    const shown = await page.locator('.item.current').innerText();
    await page.reload();
    expect(await page.locator('.item.current').innerText()).toBe(shown);
    await page.getByLabel('findings').check();
    await expect.poll(() => page.locator('.item').count()).toBe(2);
    expect(said).toEqual([]);
  });

  it('compares two of its conversations', async () => {
    const { page, said, barriers } = await open({ viewport: { width: 1440, height: 860 } });
    const title = (at: number) => page.locator('.item .title').nth(at).innerText();
    const titles = [await title(0), await title(1)];
    await page.locator('.item').nth(0).click();
    await page.getByRole('button', { name: 'Compare with' }).click();
    await page.locator('.item').nth(1).click();
    const comparison = page.locator('.comparison');
    await comparison.getByText(/^\d+ differences?$/).waitFor();
    expect(await comparison.locator('.compared strong').allInnerTexts()).toEqual(titles);
    for (const side of ['good', 'bad'])
      expect(await comparison.locator(`.run.${side} .row`).count()).toBeGreaterThan(1);
    expect(await barriers()).toEqual([]);
    await page.reload();
    await comparison.locator('.run.bad .row').first().click();
    await page.locator('.inspector').waitFor();
    await page.getByRole('button', { name: 'End comparison' }).click();
    await comparison.waitFor({ state: 'detached' });
    expect(await page.locator('.about h2').innerText()).toBe(titles[0]);
    expect(said).toEqual([]);
  });

  it('zooms by keys and by buttons, and keeps the selected exchange in view', async () => {
    const { page } = await open({ viewport: { width: 1200, height: 400 } });
    await page.locator('.item').first().click();
    await page.keyboard.press('Enter');
    await page.locator('.diagram .row.selected').waitFor();
    const heightOf = (selector: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((element) => element.getBoundingClientRect().height);
    const before = await heightOf('.diagram .row.selected');
    await page.keyboard.press('+');
    await expect.poll(() => heightOf('.diagram .row.selected')).toBeCloseTo(1.25 * before, 0);
    const { y } = (await page.locator('.diagram .row.selected').boundingBox())!;
    expect(y).toBeGreaterThan(0);
    expect(y).toBeLessThan(400);
    await page.getByRole('button', { name: /original size/ }).click();
    await expect.poll(() => heightOf('.diagram .row.selected')).toBeCloseTo(before, 0);
    for (let n = 0; n < 9; n++) await page.keyboard.press('-');
    expect(await page.getByRole('button', { name: 'Smaller' }).isDisabled()).toBe(true);
    expect(await page.getByRole('button', { name: /original size/ }).innerText()).toBe('60 %');
    const [scroller, diagram] = await Promise.all(
      ['.scroller', '.diagram'].map((each) => page.locator(each).first().boundingBox()),
    );
    // The diagram fills the width at every zoom.
    expect(Math.abs(scroller!.width - diagram!.width)).toBeLessThan(20);
  });

  it('fits a phone: the list first, then a conversation', async () => {
    const { page } = await open(PHONE);
    const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(await overflow()).toBeLessThanOrEqual(0);
    await page.locator('.item').first().click();
    await page.locator('.diagram .row').first().waitFor();
    expect(await overflow()).toBeLessThanOrEqual(0);
    await page.getByRole('button', { name: '‹ All' }).click();
    await page.locator('.item').first().waitFor();
  });

  it('shows hostile content as text', async () => {
    const hostile = (exchanges: Exchange[]) =>
      exchanges.map(({ request, response, ...rest }) => ({
        ...rest,
        request: { ...request, body: JSON.stringify({ task: HOSTILE }) },
        ...(response && { response: { ...response, body: HOSTILE } }),
      }));
    const { page, said } = await open({}, hostile);
    await page.locator('.item').first().click();
    await page.locator('.diagram .row').first().click();
    await page.locator('.inspector pre', { hasText: '<img src=x' }).first().waitFor();
    expect(await page.evaluate(() => 'hacked' in window)).toBe(false);
    expect(said).toEqual([]);
  });
});
