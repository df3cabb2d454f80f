import { describe, expect, it } from 'vitest';
import { chromium } from '../../test/support/report/browser.js';
import { requireBrowser } from '../../test/support/report/require-browser.js';
import { listBarriers } from '../../test/support/studio/barriers.js';
import { countClicks } from '../../test/support/studio/count-clicks.js';
import { useLivePage } from '../../test/support/studio/use-live-page.js';
import { usePictures } from '../../test/support/studio/use-pictures.js';

requireBrowser('why a client hangs, in studio');

const CALL = { service: 'tool_call', id: 'question', tool: 'ask', input: { city: 'Oslo' } };
const FINISH = { service: 'finish', output: 'Done.' };

describe.skipIf(chromium === undefined)('why nothing happens', () => {
  const open = useLivePage();
  const picture = usePictures();

  it('names the reply that the client owes, shows the call, and replies for the client', async () => {
    const { page, mock, send, follow, item, button, appears, said } = await open();
    const id = await follow('Ask me', [
      { ...CALL, after: { time: '700ms' } },
      { client: 'reply', to: 'question' },
      FINISH,
    ]);
    await mock.clock.set({ advance: '700ms' });
    const { events } = await send('GET', `/task/${id}?event_t=0`);
    for (let n = 0; n < 20; n++) {
      await mock.clock.set({ advance: '600ms' });
      await send('GET', `/task/${id}?event_t=${events[0].timestamp}`);
    }
    const clicks = await countClicks(page);
    await item('Ask me').click();
    await appears(
      '.now',
      'Waiting 12.0 s for the client: reply to ask {"city":"Oslo"}, listed at +700 ms, polled 20 times since',
    );
    const link = page.getByRole('link', { name: 'Why does my client hang?' });
    expect(await link.getAttribute('href')).toMatch(/why-does-my-client-hang#the-client-hangs$/);
    await picture(page, 'client-hangs');
    expect(await listBarriers(page)).toEqual([]);
    await button('Show it').click();
    await page.locator('.diagram .row.selected', { hasText: 'tool_call ask' }).waitFor();
    // Beside inspector and controls, the words still have a line.
    const line = page.locator('.now-item p').first();
    expect((await line.boundingBox())!.width).toBeGreaterThan(250);
    await button('Reply for the client').click();
    await page.getByLabel('Output of ask, JSON or text').fill('{"temp_c": 9}');
    await button('Send the reply').click();
    await appears('.about .status', 'done');
    await appears('.diagram text.reply', '{"temp_c":9}');
    // The text of the reply counts as one.
    expect(await clicks()).toBeLessThanOrEqual(5);
    expect(said).toEqual([]);
  });

  it('names a poll that the network holds before a reply that nobody has seen, and opens its gate', async () => {
    const { page, mock, send, follow, item, appears } = await open();
    const id = await follow('Held', [CALL, { client: 'reply', to: 'question' }, FINISH]);
    await mock.network.set([{ network: 'hold', until: { gate: 'go' }, of: 'poll' }]);
    const held = send('GET', `/task/${id}?event_t=0`);
    const clicks = await countClicks(page);
    await item('Held').click();
    await appears('.now', 'Poll 1 (+0 ms) is held at gate go');
    expect(await page.locator('.now-item p').allInnerTexts()).toEqual([
      'Poll 1 (+0 ms) is held at gate go',
      'Waiting for the client: reply to ask {"city":"Oslo"}, which no response has listed yet',
    ]);
    await page.locator('.now').getByRole('button', { name: 'Open go' }).click();
    await held;
    await appears('.now', 'listed at +0 ms, not polled since');
    expect(await clicks()).toBeLessThanOrEqual(2);
  });

  it('gate: opens the gate that a step waits for, and completes a task that has nothing planned', async () => {
    const { page, send, follow, create, item, button, appears, said } = await open();
    const id = await follow('Gated', [{ ...FINISH, after: { gate: 'go' } }]);
    const clicks = await countClicks(page);
    await item('Gated').click();
    await appears('.now', 'Waiting for gate go, then service finish');
    await page.locator('.now').getByRole('button', { name: 'Open go' }).click();
    await appears('.about .status', 'done');
    await appears('.about .output', '"Done.", not polled yet');
    await send('GET', `/task/${id}`);
    await page.locator('.about').getByRole('button', { name: 'output "Done."', exact: true }).waitFor();
    expect(await clicks()).toBeLessThanOrEqual(2);
    await create('Improvised');
    await item('Improvised').click();
    await button('Complete the task').click();
    await appears('.about .status', 'done');
    expect(await clicks()).toBeLessThanOrEqual(4);
    expect(said).toEqual([]);
  });
});
