import { describe, expect, it } from 'vitest';
import { clientRules } from '../../conformance/rules/client-rules.js';
import { judgeExchanges } from '../../conformance/rules/judge.js';
import { chromium } from '../../test/support/report/browser.js';
import { requireBrowser } from '../../test/support/report/require-browser.js';
import { listBarriers } from '../../test/support/studio/barriers.js';
import { countClicks } from '../../test/support/studio/count-clicks.js';
import { usePictures } from '../../test/support/studio/use-pictures.js';
import { useStudio } from '../../test/support/studio/use-studio.js';

requireBrowser('two conversations side by side');

describe.skipIf(chromium === undefined)('two conversations side by side', () => {
  const openStudio = useStudio();
  const picture = usePictures();

  async function open(clock: 'manual' | 'real' = 'manual') {
    const judge = (all: Parameters<typeof judgeExchanges>[1]) => judgeExchanges(clientRules, all).findings();
    const opened = await openStudio(
      { clock, judge },
      { viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' },
    );
    const { baseUrl, mock } = opened;
    const send = async (method: string, path: string, body?: object) => {
      const response = await mock.fetch(`${baseUrl}/api/v1${path}`, {
        method,
        headers: { apikey: 'a', 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      });
      return ((await response.json()) as { r: { id: string } }).r;
    };
    return { ...opened, send };
  }

  it('aligns them, marks the difference, and goes on while one of them does', async () => {
    const { page, send, mock, said } = await open();
    const titles = ['Find tea', 'Find coffee'];
    const ids: string[] = [];
    for (const task of titles) {
      const { id } = await send('POST', '/task', { task, enable_recording: false });
      ids.push(id);
      await send('GET', `/task/${id}`);
    }
    await mock.network.set('drop response of poll times 1', 'a');
    await send('GET', `/task/${ids[1]}`).catch(() => undefined);
    const item = (title: string) => page.locator('.item', { hasText: title });
    await item(titles[1]!).waitFor();
    const clicks = await countClicks(page);
    await item(titles[0]!).click();
    await page.getByRole('button', { name: 'Compare with' }).click();
    await item(titles[1]!).click();
    const comparison = page.locator('.comparison');
    await comparison.getByText('2 differences').waitFor();
    expect(await clicks()).toBeLessThanOrEqual(3);
    expect(await comparison.locator('.compared strong').allInnerTexts()).toEqual(titles);
    await expect.poll(() => comparison.locator('.run.bad .cross').count()).toBe(1);
    await expect.poll(() => comparison.locator('.run.good .band.missing').count()).toBe(1);
    const colors = await comparison
      .locator('.run > p.end')
      .evaluateAll((ends) => ends.map((end) => getComputedStyle(end).color));
    expect(new Set(colors).size, 'the end of neither run is a failure').toBe(1);
    await picture(page, 'comparison');
    expect(await listBarriers(page)).toEqual([]);
    await comparison.getByRole('button', { name: 'Next →' }).click();
    await comparison.getByText('2 of 2').waitFor();
    await comparison.locator('.run.bad .row', { hasText: 'poll 2' }).click();
    await page.locator('.inspector', { hasText: 'response dropped' }).waitFor();
    // The same request in the other conversation: one difference less.
    await send('GET', `/task/${ids[0]}`);
    await expect.poll(() => comparison.locator('.run.good .row').count()).toBe(3);
    await expect.poll(() => comparison.locator('.run.good .band.missing').count()).toBe(0);
    await page.reload();
    await comparison.locator('.run.bad .cross').waitFor();
    await page.getByRole('button', { name: 'End comparison' }).click();
    await page.locator('.conversation').waitFor();
    await expect.poll(() => comparison.count()).toBe(0);
    // Without the button: a click with Ctrl.
    await item(titles[1]!).click({ modifiers: ['Control'] });
    await comparison.locator('.compared strong', { hasText: 'Find coffee' }).waitFor();
    await page.keyboard.press('Escape');
    await comparison.waitFor({ state: 'detached' });
    expect(said).toEqual([]);
  });

  it('compares both demo clients with one click: the hasty one runs its tool twice', async () => {
    const { page, said } = await open('real');
    await page.getByText('live', { exact: true }).waitFor();
    const clicks = await countClicks(page);
    await page.getByRole('button', { name: 'Compare both clients' }).first().click();
    const runs = page.locator('.comparison .run');
    await expect.poll(() => runs.locator('.cross').count()).toBe(2);
    await expect
      .poll(() => page.locator('.compared .badge.bad').allInnerTexts())
      .toEqual([expect.stringContaining('replies/same-again')]);
    expect(await clicks()).toBeLessThanOrEqual(1);
    expect(said).toEqual([]);
  });
});
