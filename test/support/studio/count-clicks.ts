import type { Page } from 'playwright-core';

/** Counts what a user does in the page from now on: clicks, choices and sent texts. The returned function gives the number. */
export async function countClicks(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    const counted = globalThis as unknown as { clicks: number };
    counted.clicks = 0;
    const count = ({ isTrusted }: Event) => {
      if (isTrusted) counted.clicks++;
    };
    addEventListener('pointerdown', count, true);
    addEventListener('change', (event) => event.target instanceof HTMLSelectElement && count(event), true);
    addEventListener('keydown', (event) => event.key === 'Enter' && count(event), true);
  });
  return () => page.evaluate(() => (globalThis as unknown as { clicks: number }).clicks);
}
