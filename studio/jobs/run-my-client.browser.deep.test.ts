import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { CommandRuns } from '../../cli/mock/client-runs.js';
import { chromium } from '../../test/support/report/browser.js';
import { requireBrowser } from '../../test/support/report/require-browser.js';
import { listBarriers } from '../../test/support/studio/barriers.js';
import { countClicks } from '../../test/support/studio/count-clicks.js';
import { usePictures } from '../../test/support/studio/use-pictures.js';
import { useStudio } from '../../test/support/studio/use-studio.js';

requireBrowser('how studio runs a client');

const TIMERS = {
  set: (callback: () => void, delay_ms: number) => setTimeout(callback, delay_ms),
  clear: (timer: unknown) => clearTimeout(timer as ReturnType<typeof setTimeout>),
};
const CLIENTS = join(import.meta.dirname, '../../fixtures/clients');
const MOST_CLICKS = 5;

describe.skipIf(chromium === undefined)('a client that studio runs', () => {
  const openStudio = useStudio();
  const picture = usePictures();

  async function open(command: readonly string[], folder: string, width = 1440) {
    const runs = new CommandRuns(command, folder, TIMERS, (error) => expect.fail(String(error)));
    const viewport = { width, height: 860 };
    const opened = await openStudio({ clientRuns: runs }, { viewport, reducedMotion: 'reduce' });
    runs.attach(opened.mock, opened.baseUrl);
    onTestFinished(() => runs.stop());
    return { ...opened, panel: opened.page.getByRole('region', { name: 'Your client' }) };
  }

  it('shows its output, its verdict and the exchange that breaks a rule, and runs again when it is corrected', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'taskdouble-my-client-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, 'client.mjs');
    const write = (client: string) => {
      const source = join(CLIENTS, client);
      const text = readFileSync(source, 'utf8');
      writeFileSync(
        file,
        text.replace(/from '(\..*)'/g, (_, path) => `from '${join(dirname(source), path)}'`),
      );
    };
    write('buggy/lost-answer-is-failure.mjs');
    const { page, panel, said } = await open(['node', file], folder);
    const clicks = await countClicks(page);
    const click = async (name: string | RegExp) => {
      await panel.getByText(name, { exact: true }).first().click();
    };
    await panel.getByLabel('Scenario of the run').fill('races/reply-response-lost');
    await click('watch files');
    await click('Run');
    await panel.getByText(/✗ Run 1: exit code 0.*1 ✗/).waitFor();
    await panel.getByRole('log').getByText('"status":"done"').waitFor();
    // Its task is selected.
    await page.locator('.diagram').waitFor();
    expect(await panel.getByRole('listitem').first().innerText()).toMatch(
      /two different replies.*CLIENT-02/s,
    );
    await picture(page, 'run-my-client');
    await click(/^Exchange \d+$/);
    await page.locator('.inspector', { hasText: /POST/ }).waitFor();
    expect(await listBarriers(page)).toEqual([]);

    write('reference.mjs');
    await panel.getByText(/✓ Run \d+: exit code 0/).waitFor();
    await panel.getByText('waits for a change').waitFor();
    expect(await clicks()).toBeLessThanOrEqual(MOST_CLICKS);
    expect(said).toEqual([]);
  });

  it('is stopped, and what it prints does no harm', async () => {
    const hostile = '<img src=x onerror=alert(1)>\u001b[31mred\u001b[2J\u202e';
    const code = `console.log(${JSON.stringify(hostile)}); console.error('\u001b]0;title'); setInterval(() => {}, 1000)`;
    const { page, panel, said } = await open(['node', '-e', code], tmpdir(), 375);
    await panel.getByText('Run', { exact: true }).click();
    const log = panel.getByRole('log');
    // Two pipes: either may be read first.
    for (const text of ['title', '<img src=x']) await log.getByText(text).waitFor();
    expect(await log.locator('img').count()).toBe(0);
    await picture(page, 'run-my-client-375');
    expect(await listBarriers(page)).toEqual([]);
    await panel.getByText('Stop', { exact: true }).click();
    await panel.getByText(/Run 1 was stopped/).waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(375);
    expect(said).toEqual([]);
  });

  it('leaves a conversation its height on a phone', async () => {
    const { page, mock, baseUrl, panel } = await open(['node', 'client.mjs'], tmpdir(), 375);
    await mock.fetch(`${baseUrl}/api/v1/task`, {
      method: 'POST',
      headers: { apikey: 'a', 'content-type': 'application/json' },
      body: '{"task":"One"}',
    });
    await panel.waitFor();
    await page.locator('.item').click();
    await page.locator('.diagram .row').first().waitFor();
    expect(await panel.isVisible()).toBe(false);
    await page.getByRole('button', { name: '‹ All' }).click();
    await panel.waitFor();
  });

  it('is no part of the page without a command', async () => {
    const { page } = await openStudio({}, {});
    await page.getByText('live', { exact: true }).waitFor();
    expect(await page.locator('.client-run').count()).toBe(0);
  });
});
