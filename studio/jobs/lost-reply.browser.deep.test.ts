import { describe, expect, it } from 'vitest';
import { chromium } from '../../test/support/report/browser.js';
import { requireBrowser } from '../../test/support/report/require-browser.js';
import { listBarriers } from '../../test/support/studio/barriers.js';
import { countClicks } from '../../test/support/studio/count-clicks.js';
import { useLivePage } from '../../test/support/studio/use-live-page.js';
import { usePictures } from '../../test/support/studio/use-pictures.js';

requireBrowser('the first run and a lost reply in studio');

describe.skipIf(chromium === undefined)('the first minutes with studio', () => {
  const open = useLivePage();
  const picture = usePictures();

  it('first run: one click shows a whole conversation', async () => {
    const { page, button, appears, said } = await open({ clock: 'real' });
    await appears('h2', 'No conversation yet');
    const clicks = await countClicks(page);
    await button('Run a demo conversation').click();
    await page.locator('.about .status.done').waitFor();
    await appears('.about h2', 'Tell me with get_weather');
    await page.locator('.diagram .row').first().waitFor();
    await page.locator('.about .output').waitFor();
    expect(await clicks()).toBeLessThanOrEqual(1);
    await picture(page, 'first-run');
    expect(said).toEqual([]);
  });

  it('lost reply: three clicks show that the tool ran twice', async () => {
    const { page, button, appears, said } = await open({ clock: 'real' });
    const clicks = await countClicks(page);
    await button('Drop the response to the next reply').click();
    await button('Run a hasty client').click();
    await page.locator('.about .status.done').waitFor();
    const chip = page.locator('.chip.bad', { hasText: 'the tool ran twice' });
    await chip.waitFor();
    await page.mouse.move(0, 0);
    await picture(page, 'live-task');
    await chip.click();
    await appears('.finding-box', 'CLIENT-02');
    // The diagram shows the lost response, and two replies with different outputs.
    await page.locator('.diagram .cross').waitFor();
    await appears('.diagram text.reply', '{"temp_c":9}');
    await appears('.diagram text.reply', '{"temp_c":10}');
    // A third one if the task ended before the second arrived.
    await appears('.chip.bad', /1 of [23]/);
    expect(await clicks()).toBeLessThanOrEqual(3);
    // The next click shows the other exchange.
    const first = await page.locator('.diagram .row.selected').getAttribute('data-seq');
    await chip.click();
    await appears('.chip.bad', /2 of [23]/);
    expect(await page.locator('.diagram .row.selected').getAttribute('data-seq')).not.toBe(first);
    await picture(page, 'finding');
    expect(await listBarriers(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await listBarriers(page)).toEqual([]);
    await picture(page, 'dark');
    await page.emulateMedia({ colorScheme: 'light' });
    await page.keyboard.press('Escape');
    await button('Controls').click();
    await page.setViewportSize({ width: 375, height: 700 });
    await picture(page, 'phone');
    expect(said).toEqual([]);
  });
});
