import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { BrowserContextOptions } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { readPageOfContent } from '../../cli/view-page.js';
import { loadFunction } from '../../conformance/client/run/function-module.js';
import { explore } from '../../conformance/explore/search/explore.js';
import { chromium } from '../../test/support/report/browser.js';
import { createMixedReport } from '../../test/support/report/reports.js';
import { requireBrowser } from '../../test/support/report/require-browser.js';
import { listBarriers } from '../../test/support/studio/barriers.js';
import { countClicks } from '../../test/support/studio/count-clicks.js';
import { dropFile } from '../../test/support/studio/drop-file.js';
import { usePictures } from '../../test/support/studio/use-pictures.js';
import { useStudio } from '../../test/support/studio/use-studio.js';

requireBrowser('scenarios and files in studio');

const ROOT = join(import.meta.dirname, '../..');
const read = (file: string) => ({ name: basename(file), text: readFileSync(join(ROOT, file), 'utf8') });

/** The runs of a race as `explore` writes them next to its scenario. */
async function writeRace(): Promise<string> {
  const { run } = await loadFunction(join(ROOT, 'fixtures/clients/buggy/lost-answer-is-failure.mjs'));
  const scenarios = ['tool-calls/one-call'];
  const { failures } = await explore({ client: run!, scenarios, schedules: 60, commandLine: 'again' });
  return JSON.stringify(failures.find(({ rule }) => rule === 'replies/same-again')!.race);
}

describe.skipIf(chromium === undefined)('scenarios and files in studio', () => {
  const openStudio = useStudio();
  const picture = usePictures();

  async function open(options: BrowserContextOptions = {}) {
    const viewport = { width: 1440, height: 900 };
    const opened = await openStudio(
      { clock: 'manual', readPage: readPageOfContent },
      { viewport, ...options },
    );
    const { baseUrl, page } = opened;
    const create = async (key: string, task = 'x'): Promise<string> => {
      const response = await fetch(`${baseUrl}/api/v1/task`, {
        method: 'POST',
        headers: { apikey: key, 'content-type': 'application/json' },
        body: JSON.stringify({ task }),
      });
      return ((await response.json()) as { r: { id: string } }).r.id;
    };
    const button = (name: string | RegExp) =>
      page.getByRole('button', { name, exact: typeof name === 'string' });
    return { ...opened, create, button };
  }

  it('finds one scenario of 80 by words, shows it, and queues it for one key; chips remove it', async () => {
    const { baseUrl, page, mock, create, button, said } = await open();
    await create('a');
    await create('b');
    await fetch(`${baseUrl}/__admin/keys?key=b`, { method: 'POST', body: '{"name":"team-b"}' });
    await page.locator('.item').nth(1).waitFor();
    const clicks = await countClicks(page);
    await button('Choose a scenario …').click();
    const dialog = page.getByRole('dialog', { name: 'Scenarios' });
    await dialog.locator('.scenario').nth(60).waitFor();
    await button('Queue it').focus();
    await page.keyboard.press('Enter');
    await dialog.getByText('Select a scenario first.').waitFor();
    await page.getByLabel('Search the scenarios').fill('races reply-response-lost');
    await expect.poll(() => dialog.locator('.scenario').count()).toBe(1);
    await dialog.locator('.scenario').click();
    await dialog.locator('.preview svg .head').first().waitFor();
    await picture(page, 'scenario-browser');
    expect(await listBarriers(page)).toEqual([]);
    await page.getByLabel('For key').selectOption({ label: 'the next task of team-b' });
    await button('Queue it').click();
    await dialog.getByText('the next task of team-b follows races/reply-response-lost').waitFor();
    await button('Close').click();
    expect(await clicks()).toBeLessThanOrEqual(6);
    const chip = button('Remove races/reply-response-lost from the queue');
    await chip.waitFor();
    expect(mock.task(await create('a')).scenario).not.toBe('races/reply-response-lost');
    expect(mock.task(await create('b')).scenario).toBe('races/reply-response-lost');
    await chip.waitFor({ state: 'detached' });
    await mock.scenarios.queue('races/vanishing-task', 'b');
    await create('a');
    await button('Remove races/vanishing-task from the queue').click();
    await expect.poll(() => mock.scenarios.listQueued('b')[0]!.queued).toEqual([]);
    expect(said).toEqual([]);
  });

  it('plays a scenario file that is dropped on the page', async () => {
    const { page, mock, create, button, said } = await open();
    for (const key of ['a', 'b']) await create(key);
    await page.locator('.item').nth(1).waitFor();
    await dropFile(page, read('scenarios/races/vanishing-task.yaml'));
    await page.locator('.file-dialog .preview svg .head').first().waitFor();
    await page.getByLabel('For key').selectOption('org-1');
    await button('Play it').click();
    await page.locator('.file-dialog').waitFor({ state: 'detached' });
    expect(mock.task(await create('b')).scenario).not.toBe('vanishing-task');
    expect(mock.task(await create('a')).scenario).toBe('vanishing-task');
    expect(said).toEqual([]);
  });

  it('shows a recording, a report and a race that are dropped on the page, and returns to the mock', async () => {
    const { page, create, button, said } = await open();
    await create('a', 'The live task');
    const live = page.locator('.item', { hasText: 'The live task' });
    await live.click();
    const opened = page.locator('.opened');
    const files = [
      { file: read('fixtures/recordings/chrome.har'), shows: opened.locator('.diagram .row').first() },
      {
        file: { name: 'result.json', text: JSON.stringify(createMixedReport()) },
        shows: opened.locator('.report .cause').first(),
      },
      {
        file: { name: 'replies.runs.json', text: await writeRace() },
        shows: opened.getByRole('heading', { name: 'A call got two different replies' }),
      },
    ];
    for (const { file, shows } of files) {
      await dropFile(page, file);
      await opened.getByText(file.name, { exact: true }).first().waitFor();
      await shows.waitFor();
      await picture(page, `dropped-${file.name}`);
      expect(await listBarriers(page)).toEqual([]);
      await button('← Back to the mock').click();
      await live.waitFor();
      await page.locator('.about h2', { hasText: 'The live task' }).waitFor();
    }
    expect(said).toEqual([]);
  });

  it('reports each file that it cannot show in one message', async () => {
    const { page, button, said } = await open();
    // The page listens for files when it has connected.
    await page.getByText('live', { exact: true }).waitFor();
    const deep = `{"log":{"entries":${'['.repeat(5000)}`;
    const files: [name: string, text: string][] = [
      ['empty.har', ''],
      ['deep.har', deep],
      ['<img src=x onerror=alert(1)>.png', 'x'],
      ['broken.yaml', 'title: [\n'],
      ['report.json', '{"taskdouble":"0.1.0","checks":7}'],
      ['bomb.yaml', 'a: &a [x,x]\nb: &b [*a,*a]\nc: [*b,*b]\n'],
    ];
    for (const [name, text] of files) {
      await dropFile(page, { name, text });
      const alert = page.getByRole('alert').filter({ hasText: /./ });
      await alert.waitFor();
      expect((await alert.innerText()).length).toBeGreaterThan(15);
      await button('Close').click();
      await alert.waitFor({ state: 'detached' });
    }
    expect(said).toEqual([]);
  });
});
