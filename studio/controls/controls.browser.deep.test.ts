import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, describe, expect, it } from 'vitest';
import { readRecording } from '../../mock/exchange/readers/read-recording.js';
import { chromium } from '../../test/support/report/browser.js';
import { requireBrowser } from '../../test/support/report/require-browser.js';
import { useStudio } from '../../test/support/studio/use-studio.js';

requireBrowser('the controls of studio');

const YAML = 'timeline: []\n';

describe.skipIf(chromium === undefined)('the controls of studio in Chromium', () => {
  const directory = mkdtempSync(join(tmpdir(), 'taskdouble-controls-'));
  const pictures = process.env.STUDIO_PICTURES ?? directory;
  let page: Page;
  let baseUrl: string;
  let problems: string[];

  const openStudio = useStudio();
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  async function open(options: BrowserContextOptions = {}) {
    const mock = { clock: 'manual', writeScenario: () => ({ yaml: YAML }) } as const;
    const where = { viewport: { width: 1440, height: 900 }, ...options };
    ({ baseUrl, page, said: problems } = await openStudio(mock, where));
  }

  async function send(method: string, path: string, body?: object) {
    const response = await fetch(`${baseUrl}/api/v1${path}`, {
      method,
      headers: { apikey: 'a', 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    // biome-ignore lint/suspicious/noExplicitAny: what the API responds.
    return { status: response.status, r: ((await response.json()) as any).r };
  }
  const create = async (): Promise<string> => (await send('POST', '/task', { task: 'Find tea' })).r.id;
  const select = () => page.locator('.item').first().click();
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const status = (text: string) => page.getByRole('status').filter({ hasText: text }).first().waitFor();

  it('changes the next request by a fault from the form; shows the error of the mock for an invalid fault', async () => {
    await open();
    const id = await create();
    await select();
    await page.getByText('Any fault').click();
    await page.getByLabel('status *').fill('many');
    await button('Add fault').click();
    await status('an HTTP status from 400 to 599');
    await page.screenshot({ path: join(pictures, 'fault-form.png') });
    await page.getByLabel('status *').fill('504');
    await page.getByLabel('requests', { exact: true }).selectOption('poll');
    // By the keyboard: Enter in a field sends the form.
    await page.getByLabel('status *').press('Enter');
    await status('added the fault');
    expect((await send('GET', `/task/${id}`)).status).toBe(504);
    expect((await send('GET', `/task/${id}`)).status).toBe(202);
    await page.locator('.rules li', { hasText: 'hit 1×' }).waitFor();
    expect(problems).toEqual([]);
  });

  it('adds faults before an organisation exists: they apply to new organisations and are listed', async () => {
    await open();
    const rules = page.locator('.rules li');
    await button('Fail the next poll with 503').click();
    await rules.filter({ hasText: 'fail status 503' }).waitFor();
    await button('Same event twice').click();
    await rules.filter({ hasText: 'redeliver' }).waitFor();
    await button('429 for 5 s').click();
    await page.getByRole('button', { name: /^Remove fail status 429/ }).click();
    await status('removed a rule');
    await expect.poll(() => rules.allInnerTexts()).toHaveLength(2);
    const id = await create();
    expect((await send('GET', `/task/${id}`)).status).toBe(503);
    await rules.filter({ hasText: 'hit 1×' }).waitFor();
    expect(await rules.count()).toBe(2);
  });

  it('injects a step into the selected task', async () => {
    await open();
    const id = await create();
    await select();
    await page.getByLabel('Kind of step').selectOption('Event as it is');
    await button('Inject it').click();
    await status('the step happens now');
    expect((await send('GET', `/task/${id}?event_t=0`)).r.events).toMatchObject([
      { payload: { name: 'unknown_tool' } },
    ]);
  });

  it('cancels the selected task', async () => {
    await open();
    const id = await create();
    await select();
    await button('Cancel it').click();
    await status('cancelled');
    expect((await send('GET', `/task/${id}`)).r.status).toBe('cancelled');
  });

  it('saves a snapshot and restores it', async () => {
    await open();
    const id = await create();
    await page.locator('.item').first().waitFor();
    const [saved] = await Promise.all([page.waitForEvent('download'), button('Save snapshot').click()]);
    const file = join(directory, 'state.json');
    await saved.saveAs(file);
    await button('Reset').click();
    await status('reset');
    expect((await send('GET', `/task/${id}`)).status).toBe(404);
    await page.getByLabel('Restore a snapshot').setInputFiles(file);
    await status('restored state.json');
    expect((await send('GET', `/task/${id}`)).status).toBe(202);
  });

  it('exports the conversation, also as a self-contained page', async () => {
    await open();
    const id = await create();
    await send('GET', `/task/${id}`);
    await select();
    await page.locator('.diagram .row').nth(1).waitFor();
    const take = async (label: string) => {
      await page.getByText('Export', { exact: true }).click();
      const [saved] = await Promise.all([page.waitForEvent('download'), button(label).click()]);
      const file = join(directory, saved.suggestedFilename());
      await saved.saveAs(file);
      return file;
    };
    expect(readFileSync(await take('Scenario (YAML)'), 'utf8')).toBe(YAML);
    for (const label of ['Journal (JSON lines)', 'HAR'])
      expect((await readRecording(await take(label))).exchanges).toHaveLength(2);
    const svg = readFileSync(await take('Diagram (SVG)'), 'utf8');
    expect(svg).toContain('POST /task');
    expect(svg).not.toMatch(/var\(|light-dark|class=/);
    const html = await take('HTML page of this conversation');
    await page.goto(pathToFileURL(html).href);
    await page.locator('.diagram .row').nth(1).waitFor();
    expect(await page.getByRole('heading', { name: 'No conversation yet' }).count()).toBe(0);
    await page.screenshot({ path: join(pictures, 'taken-away.png') });
    expect(problems).toEqual([]);
  });

  it('fits a phone', async () => {
    await open({ viewport: { width: 375, height: 720 } });
    await create();
    await button('Controls').click();
    await page.getByText('Any fault').click();
    await page.getByLabel('fault', { exact: true }).selectOption('throttle');
    await page.screenshot({ path: join(pictures, 'fault-form-phone.png') });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(375);
  });
});
