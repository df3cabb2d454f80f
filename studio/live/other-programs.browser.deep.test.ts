import { describe, expect, it } from 'vitest';
import { chromium } from '../../test/support/report/browser.js';
import { requireBrowser } from '../../test/support/report/require-browser.js';
import { useLivePage } from '../../test/support/studio/use-live-page.js';

requireBrowser('what other programs change');

describe.skipIf(chromium === undefined)('what other programs change, in studio in Chromium', () => {
  const open = useLivePage();

  it('appears: a queued scenario, and a reset', async () => {
    const { page, baseUrl, create, button, appears, said } = await open();
    await create('Find tea');
    await appears('.item', 'Find tea');
    const post = (path: string, body: object) =>
      fetch(`${baseUrl}/__admin${path}`, { method: 'POST', body: JSON.stringify(body) });
    await post('/scenarios/next?key=a', { name: 'races/reply-response-lost' });
    await button('Remove races/reply-response-lost from the queue').waitFor();
    await post('/reset', {});
    await page.getByRole('status').filter({ hasText: 'A reset has removed' }).waitFor();
    expect(await page.locator('.item').count()).toBe(0);
    expect(said).toEqual([]);
  });

  it('shows a task whose text is blank as one without a text', async () => {
    const { create, appears } = await open();
    await create('   ');
    await appears('.item .title', '(no text)');
  });
});
