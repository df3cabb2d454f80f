import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clientRules } from '../conformance/rules/client-rules.js';
import { judgeExchanges } from '../conformance/rules/judge.js';
import type { Mock } from '../mock/mock.js';
import type { Exchange } from '../spec/vocabulary.js';
import { chromium } from '../test/support/report/browser.js';
import { requireBrowser } from '../test/support/report/require-browser.js';
import { listBarriers } from '../test/support/studio/barriers.js';
import { useStudio } from '../test/support/studio/use-studio.js';

requireBrowser('studio');

/** Folder for screenshots, if given. */
const PICTURES = process.env.STUDIO_PICTURES ?? mkdtempSync(join(tmpdir(), 'taskdouble-studio-'));
const WIDE = { width: 1440, height: 860 };
const PHONE = { width: 375, height: 700 };
const HOSTILE = '</script><img src=x onerror=alert(1)>\u202e\u001b[31m<b>';

describe.skipIf(chromium === undefined)('studio in Chromium', () => {
  let page: Page;
  let mock: Mock;
  let baseUrl: string;
  let said: string[];

  const openStudio = useStudio();
  beforeAll(() => {
    mkdirSync(PICTURES, { recursive: true });
  });
  afterAll(() => {
    if (process.env.STUDIO_PICTURES === undefined) rmSync(PICTURES, { recursive: true, force: true });
  });

  async function open(options: BrowserContextOptions = {}, clock: 'real' | 'manual' = 'real') {
    const judge = (exchanges: readonly Exchange[]) => judgeExchanges(clientRules, exchanges).findings();
    const where = { viewport: WIDE, reducedMotion: 'reduce', ...options } as const;
    ({ mock, baseUrl, page, said } = await openStudio({ clock, judge }, where));
    await page.getByText('live', { exact: true }).waitFor();
  }

  const api = async (method: string, path: string, body?: object, key = 'a') => {
    const headers = { apikey: key, 'content-type': 'application/json' };
    const response = await mock.fetch(`${baseUrl}/api/v1${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    return {
      status: response.status,
      body: (await response.json()) as { r: { id: string; status: string } },
    };
  };
  const create = async (body: object = { task: 'Find the price of tea' }) =>
    (await api('POST', '/task', body)).body.r.id;
  const item = (text: string) => page.locator('.item', { hasText: text }).first();
  const button = (name: string | RegExp) =>
    page.getByRole('button', { name, exact: typeof name === 'string' });
  const picture = (name: string) => page.screenshot({ path: join(PICTURES, `${name}.png`) });

  const barriers = () => listBarriers(page);

  async function expectText(selector: string, text: string): Promise<void> {
    await page.locator(selector, { hasText: text }).first().waitFor();
  }

  it('changes the next response by each control', async () => {
    await open({}, 'manual');
    const id = await create();
    await item('Find the price of tea').click();
    await button('Fail the next poll with 503').click();
    await expectText('.rules', 'hit 0×');
    expect((await api('GET', `/task/${id}`)).status).toBe(503);
    await expectText('.rules', 'spent');
    await page.getByLabel('Rule in shorthand').fill('fail 418 of poll');
    await page.keyboard.press('Enter');
    await expectText('.rules', 'status 418');
    expect((await api('GET', `/task/${id}`)).status).toBe(418);
    await picture('faults');
    await page.getByLabel('Rule in shorthand').fill('fial 500');
    await page.keyboard.press('Enter');
    await expectText('.scope', 'did you mean fail?');
    await button('Remove all rules').click();
    await page.locator('.rules li').first().waitFor({ state: 'detached' });
    await button('Complete it').click();
    await page.locator('.item .status.done').waitFor();
    expect((await api('GET', `/task/${id}`)).body.r.status).toBe('done');
    await button('+1 s').click();
    await expectText('.scope', '1 s later');
    expect(mock.clock.view('a')[0]!.iso).toBe('2026-01-01T00:00:01.000Z');
    await button('Choose a scenario …').click();
    await page.getByLabel('Search the scenarios').fill('races/vanishing-task');
    await page.locator('.scenario').filter({ hasText: 'races/vanishing-task' }).click();
    await page.locator('.preview svg .head').first().waitFor();
    await button('Queue it').click();
    await expectText('.scope', 'follows races/vanishing-task');
    await button('Close').click();
    await create({ task: 'Next' });
    await expectText('.item', 'races/vanishing-task');
    await button('Reset').click();
    await page.getByText('No conversation yet').waitFor();
    expect(mock.health().tasks).toBe(0);
    expect(said).toEqual(['dialog: Remove all tasks, journals and organisations?']);
  });

  it('draws network effects at their place, and a delayed response once it has arrived', async () => {
    await open({}, 'manual');
    await mock.network.set('delay 1s of poll times 1');
    const id = await create();
    await item('Find the price').click();
    const held = api('GET', `/task/${id}`);
    await expectText('.diagram .row', 'no response yet');
    // The service has handled it; the response waits at the network.
    const network = Number(await page.locator('.lane.network').getAttribute('x1'));
    const rightOf = async (selector: string) => {
      const path = await page.locator(`.diagram .row ${selector}`).last().getAttribute('d');
      return Number(path!.split('H')[1]);
    };
    await page.locator('.diagram .row .pause').waitFor();
    expect(await rightOf('.arrow.open')).toBe(network);
    await mock.clock.set({ advance: '2s' }, 'a');
    await held;
    await expectText('.diagram .row', '202 running 1.00 s');
    await page.locator('.diagram .row', { hasText: 'no response yet' }).waitFor({ state: 'detached' });
    // These never reach the service: the arrow of the request ends in the middle.
    await mock.network.set('fail 503 of poll times 1');
    await api('GET', `/task/${id}`);
    await expectText('.diagram .row', 'failed with 503');
    expect(await rightOf('.arrow:not(.bad)')).toBe(network - 7);
    await mock.network.set('drop request of poll times 1');
    await api('GET', `/task/${id}`).catch(() => {});
    await page.locator('.diagram .row .cross').waitFor();
    expect(await rightOf('.arrow')).toBe(network - 7);
  });

  it('works with the keyboard alone, and keeps the selection in the address', async () => {
    await open({}, 'manual');
    const ids = [await create({ task: 'First' }), await create({ task: 'Second' })];
    await api('GET', '/nothing');
    await item('Second').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('First');
    await item('Second').waitFor({ state: 'detached' });
    await page.keyboard.press('ArrowDown');
    await page.locator('.diagram .row').first().waitFor();
    await page.keyboard.press('Enter');
    await page.locator('.inspector', { hasText: 'createTask' }).waitFor();
    expect(page.url()).toContain(`task=${ids[0]}`);
    await page.reload();
    await page.locator('.inspector', { hasText: 'createTask' }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await page.locator('.inspector').waitFor({ state: 'detached' });
    await page.keyboard.press('?');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('/');
    await page.keyboard.press('Escape');
    await item('Second').waitFor();
    await button(/Other requests/).click();
    await expectText('.log-line', '404');
  });

  it('shows hostile content as text', async () => {
    await open({}, 'manual');
    const id = await create({
      task: HOSTILE,
      custom_tools: [{ name: 'tool', description: HOSTILE, inputs: {}, output: HOSTILE }],
    });
    await api('GET', `/task/${id}?event_t=${encodeURIComponent(HOSTILE)}`);
    await api('POST', '/task', { task: 'x'.repeat(900_000) });
    await page.locator('.item').nth(1).click();
    await page.locator('.diagram .row').first().click();
    await expectText('.inspector pre', '<img src=x onerror=alert(1)>');
    expect(await page.locator('.item img, .inspector img, .diagram img').count()).toBe(0);
    await page.locator('.item').first().click();
    await page.locator('.diagram .row').first().click();
    await button(/Show all/)
      .first()
      .waitFor();
    expect(await page.locator('.inspector pre').first().innerText()).toHaveLength(20_002);
    expect(said).toEqual([]);
  });

  it('fits a phone, and a page at 200 %', async () => {
    await open({ viewport: PHONE });
    await create();
    const overflow = () =>
      page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    expect(await overflow()).toBeLessThanOrEqual(0);
    await item('Find the price').click();
    await page.locator('.diagram .row').first().waitFor();
    expect(await overflow()).toBeLessThanOrEqual(0);
    await page.locator('.diagram .row').first().click();
    await page.locator('.inspector').waitFor();
    expect(await overflow()).toBeLessThanOrEqual(0);
    expect(await barriers()).toEqual([]);
    await page.setViewportSize({ width: WIDE.width / 2, height: WIDE.height / 2 });
    expect(await overflow()).toBeLessThanOrEqual(0);
    await picture('zoomed-200');
  });

  it('has one line of header and a whole scenario at 960 px; colors of the system reach what is chosen', async () => {
    await open({ viewport: { width: 960, height: 800 }, forcedColors: 'active' });
    await create();
    await item('Find the price').click();
    await button('Compare both clients').waitFor();
    expect((await page.locator('.bar').boundingBox())!.height).toBeLessThan(50);
    await button('Controls').click();
    await button(/Choose a scenario/).click();
    await page.locator('.scenario').first().click();
    const service = await page.locator('.preview text', { hasText: 'service' }).first().boundingBox();
    const room = await page.locator('.preview').boundingBox();
    expect(service!.x + service!.width).toBeLessThanOrEqual(room!.x + room!.width);
    expect(await barriers()).toEqual([]);
    await page.keyboard.press('Escape');
    await page.setViewportSize({ width: 730, height: 800 });
    expect((await page.locator('.bar').boundingBox())!.height).toBeLessThan(50);
    expect(said).toEqual([]);
  });

  it('keeps the document small with 10,000 tasks and 4,000 exchanges of one', async () => {
    await open({}, 'manual');
    for (let n = 0; n < 10_000; n++) await create({ task: `Task ${n}` });
    const id = await create({ task: 'Busy' });
    for (let n = 0; n < 4_000; n++) await api('GET', `/task/${id}?event_t=${n}`);
    await item('Task 9999').waitFor();
    await page.getByLabel('Filter by text').fill('Busy');
    await item('Busy').click();
    await expectText('.tabs', '4001 exchanges');
    await page.getByLabel('Filter by text').fill('');
    await item('Task 9998').waitFor();
    expect(await page.locator('*').count()).toBeLessThan(1500);
  });
});
