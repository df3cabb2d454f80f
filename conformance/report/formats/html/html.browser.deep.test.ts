import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, type Page, chromium as playwright } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { contrasts } from '../../../../test/support/contrast.js';
import { chromium } from '../../../../test/support/report/browser.js';
import { needsBrowser } from '../../../../test/support/report/needs-browser.js';
import { goodReport, hostileReport, mixedReport } from '../../../../test/support/report/reports.js';
import { written } from '../../../../test/support/report/written.js';
import type { ConformReport } from '../../../service/runner/result.js';

const PHONE = { width: 375, height: 720 };

needsBrowser('the HTML report');

describe.skipIf(chromium === undefined)('the HTML report in Chromium', () => {
  const directory = mkdtempSync(join(tmpdir(), 'taskdouble-html-'));
  let browser: Browser;
  let page: Page;
  let said: string[];

  beforeAll(async () => {
    browser = await playwright.launch({ executablePath: chromium!, args: ['--no-sandbox'] });
  });
  afterEach(() => page?.close());
  afterAll(async () => {
    await browser?.close();
    rmSync(directory, { recursive: true, force: true });
  });

  async function open(html: string, options: Parameters<Browser['newPage']>[0] = {}): Promise<Page> {
    const file = join(directory, 'report.html');
    writeFileSync(file, html);
    page = await browser.newPage(options);
    said = [];
    page.on('console', (message) => said.push(`${message.type()}: ${message.text()}`));
    page.on('pageerror', (error) => said.push(String(error)));
    page.on('dialog', (dialog) => said.push(`dialog: ${dialog.message()}`));
    page.on('request', (request) => {
      if (!/^(file|data):/.test(request.url())) said.push(`request: ${request.url()}`);
    });
    await page.goto(pathToFileURL(file).href);
    return page;
  }

  const show = async (report: ConformReport, options = {}) => open(await written(report, 'html'), options);
  const width = () => page.evaluate(() => document.documentElement.scrollWidth);

  it('shows the summary, every check, its diagram and exchanges, the requirements, the dialect', async () => {
    await show(mixedReport());
    expect(await page.title()).toBe('http://127.0.0.1:4010 does not conform');
    expect(await page.locator('header').innerText()).toContain(
      '3 failed (1 known), 1 passed, 2 inconclusive, 1 skipped',
    );
    expect(await page.locator('.check').count()).toBe(7);
    const first = page.locator('.check').first();
    expect(await first.getAttribute('open')).not.toBeNull();
    expect(await first.innerText()).toContain('expected 202 while the task is running, got 200');
    // The request and response that show it, and the two about the same task before it.
    expect(await first.locator('svg .shown').count()).toBe(2);
    expect(await first.locator('svg .around').count()).toBe(4);
    expect((await first.locator('svg').boundingBox())?.height).toBeGreaterThan(100);
    await first.locator('.exchange summary').click();
    expect(await first.locator('pre').last().innerText()).toContain('curl -sS -i');
    expect(await page.locator('tr', { hasText: 'SERVICE-03' }).innerText()).toContain(
      'Silence proves nothing.',
    );
    expect(await page.locator('tr', { hasText: 'auth.missing-key' }).innerText()).toContain('403');
    expect(await page.getByText('known.yaml:4:3').isVisible()).toBe(true);
    expect(said).toEqual([]);
  });

  it('filters by outcome, suite and text', async () => {
    await show(mixedReport());
    const shown = () => page.locator('.check:visible .id').allInnerTexts();
    expect(await shown()).toHaveLength(7);
    await page.locator('button[value=failed]').click();
    expect(await shown()).not.toContain('polling/one-shot#POLL-01');
    expect(await page.locator('#shown').innerText()).toBe('5 of 7 shown');
    await page.locator('#suite').selectOption('tool-calls');
    expect(await shown()).toEqual(['tool-calls/one#TOOL-01', 'tool-calls/two#TOOL-02']);
    await page.locator('#text').fill('TWO#');
    expect(await shown()).toEqual(['tool-calls/two#TOOL-02']);
    await page.locator('#text').fill('');
    await page.locator('#suite').selectOption('');
    await page.locator('button[value=failed]').click();
    expect(await shown()).toHaveLength(7);
  });

  it('is whole without scripts', async () => {
    await show(mixedReport(), { javaScriptEnabled: false });
    expect(await page.locator('.check:visible').count()).toBe(7);
    expect(await page.locator('.filters').isVisible()).toBe(false);
  });

  it.each([
    ['good', goodReport],
    ['mixed', mixedReport],
    ['hostile', hostileReport],
  ])('%s: nothing is wider than a phone, also opened', async (_, make) => {
    await show(make(), { viewport: PHONE });
    expect(await width()).toBeLessThanOrEqual(PHONE.width);
    await page.evaluate(() => {
      for (const details of document.querySelectorAll('details')) details.open = true;
    });
    expect(await width()).toBeLessThanOrEqual(PHONE.width);
    const button = await page.locator('.filters button').first().boundingBox();
    expect(button?.height).toBeGreaterThanOrEqual(40);
  });

  it.each(['light', 'dark'] as const)('can be read in %s', async (colorScheme) => {
    await show(mixedReport(), { colorScheme });
    const ratios = await contrasts(page, 'body, .soft, .outcome, .id, td, pre, button');
    expect(Math.min(...ratios)).toBeGreaterThanOrEqual(4.5);
    const background = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    expect(background).toBe(colorScheme === 'dark' ? 'rgb(18, 22, 28)' : 'rgb(255, 255, 255)');
  });

  it('runs and loads nothing of what a service has sent', async () => {
    await show(hostileReport());
    expect(await page.evaluate(() => 'hacked' in window)).toBe(false);
    expect(await page.locator('img, iframe, a, svg[onload]').count()).toBe(0);
    expect(await page.locator('.check').count()).toBe(3);
    expect(await page.locator('.check').first().innerText()).toContain('<script>window.hacked=1</script>');
    expect(said).toEqual([]);
  });

  it('would be stopped by its policy if it did', async () => {
    const html = (await written(goodReport(), 'html')).replace(
      '</main>',
      '<script>window.hacked=1</script></main>',
    );
    await open(html);
    expect(await page.evaluate(() => 'hacked' in window)).toBe(false);
    expect(said.join()).toMatch(/Content Security Policy/);
  });
});
