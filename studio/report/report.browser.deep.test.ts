import { beforeAll, describe, expect, it } from 'vitest';
import { createSearchReport } from '../../conformance/report/search-report.js';
import type { ConformReport } from '../../conformance/service/runner/result.js';
import { judgeMutant } from '../../test/mutants/judge.js';
import { mutants } from '../../test/mutants/mutants.js';
import { chromium } from '../../test/support/report/browser.js';
import { formatReport } from '../../test/support/report/format-report.js';
import {
  createClientReport,
  createCrashedReport,
  createGoodReport,
  createHostileReport,
  createMixedReport,
} from '../../test/support/report/reports.js';
import { requireBrowser } from '../../test/support/report/require-browser.js';
import { createExploreReport, createFailure } from '../../test/support/report/searches.js';
import { useFilePage } from '../../test/support/studio/use-file-page.js';
import { usePictures } from '../../test/support/studio/use-pictures.js';

requireBrowser('the HTML report');

const WIDE = { viewport: { width: 1440, height: 860 } };
const PHONE = { viewport: { width: 375, height: 720 } };
const MOST_BYTES = 2_000_000;

describe.skipIf(chromium === undefined)('the HTML report in Chromium, opened from disk', () => {
  const openFile = useFilePage();
  const picture = usePictures();
  let full: ConformReport;
  let html: string;

  // The report of `conform --suite all` about a service with three faults.
  beforeAll(async () => {
    const chosen = ['error-without-detail', 'poll-always-200', 'credits-fraction'].map(
      (wanted) => mutants.find(({ id }) => id === wanted)!,
    );
    full = await judgeMutant({
      wrap: (fetch, context) => chosen.reduce((inner, each) => each.wrap(inner, context), fetch),
    });
    html = await formatReport(full, 'html');
  });

  const show = async (report: ConformReport, options = {}, hash = '') =>
    openFile(await formatReport(report, 'html'), { reducedMotion: 'reduce', ...WIDE, ...options }, hash);
  const open = (options = {}, hash = '') =>
    openFile(html, { reducedMotion: 'reduce', ...WIDE, ...options }, hash);

  it('is below 2 MB for a full run, and keeps the deciding exchange of each failure', async () => {
    expect(full.checks.length).toBeGreaterThan(1000);
    expect(Buffer.byteLength(html)).toBeLessThan(MOST_BYTES);
    const [, json] = /id="page-data">(.*)<\/script>/.exec(html)!;
    const { checks, exchanges, cut } = JSON.parse(json!);
    const kept = new Set(exchanges.map(({ seq }: { seq: number }) => seq));
    const failed = checks.filter(({ mark }: { mark: string }) => mark === 'failed');
    expect(failed).toHaveLength(full.summary.failed);
    for (const { evidence, conversation = [] } of failed)
      expect([...evidence, ...conversation].filter((seq) => !kept.has(seq))).toEqual([]);
    const decided = full.checks.filter(
      ({ outcome, evidence }) => outcome === 'failed' && evidence.length > 0,
    );
    expect(failed.filter(({ evidence }: { evidence: number[] }) => evidence.length > 0)).toHaveLength(
      decided.length,
    );
    expect(cut).toBeGreaterThan(0);
  });

  it('starts with the causes; an example shows its exchanges, a finding and a command to copy', async () => {
    const { page, said, barriers } = await open({ permissions: ['clipboard-read', 'clipboard-write'] });
    const first = page.locator('.cause').first();
    expect(await page.locator('.cause').count()).toBe(full.causes.length);
    expect(await first.innerText()).toContain(full.causes[0]!.title.slice(0, 60));
    expect((await first.boundingBox())!.y).toBeLessThan(300);
    // Only visible checks are in the document.
    expect(await page.locator('.check-item').count()).toBeLessThan(60);
    await picture(page, 'report-causes');
    expect(await barriers()).toEqual([]);
    await first.getByRole('button', { name: 'See an example' }).click();
    await page.locator('.diagram .row.has-findings').first().waitFor();
    await page.locator('.inspector .finding-box').waitFor();
    await picture(page, 'report-check');
    expect(await barriers()).toEqual([]);
    await page.getByRole('button', { name: 'Copy as curl' }).click();
    const readClipboard = () => page.evaluate(() => navigator.clipboard.readText());
    await expect.poll(readClipboard).toMatch(/^curl -sS .*'?http:\/\/mock\.test\/api\/v1/);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await barriers()).toEqual([]);
    await picture(page, 'report-dark');
    // The inspector stays closed; "back" leads to the causes.
    await page.getByRole('button', { name: 'Close', exact: true }).click();
    await page.locator('.inspector').waitFor({ state: 'detached' });
    await page.goBack();
    await page.locator('.inspector').waitFor();
    await page.goBack();
    await page.locator('.cause').first().waitFor();
    expect(said).toEqual([]);
  });

  it('has commands for a search: one shows the race step by step, one reproduces it', async () => {
    const { client, started } = { client: 'node c.mjs', started: new Date(0) };
    const file = ({ name }: { name: string }) => `races of today/${name}.yaml`;
    const found = createExploreReport({ failures: [createFailure('mine')] });
    const { page } = await show(createSearchReport(found, { client, started, file, again: () => 'again' }), {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await page.getByRole('button', { name: 'See an example' }).click();
    const lines = page.locator('.check-head .command');
    const view = "npx taskdouble view 'races of today/replies-outcome-first.yaml'";
    expect(await lines.allInnerTexts()).toEqual(['again', view]);
    await page.locator('.command-line', { hasText: view }).getByRole('button', { name: 'Copy' }).click();
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(view);
  });

  it('keeps filters and the check in the address', async () => {
    const { page } = await open();
    const shown = () => page.locator('.checks .shown').innerText();
    await page.getByLabel('Status', { exact: true }).selectOption('passed');
    await page.getByLabel('Area', { exact: true }).selectOption('polling');
    await page.getByLabel('Filter by text').fill('one-shot');
    const filtered = await shown();
    expect(filtered).toMatch(/^\d+ of \d+ checks/);
    await page.reload();
    await expect.poll(shown).toBe(filtered);
    expect(await page.getByLabel('Area', { exact: true }).inputValue()).toBe('polling');
    await page.getByRole('button', { name: 'Show all' }).click();
    await expect.poll(shown).toBe(`${full.checks.length} checks`);
    await page
      .locator('.cause')
      .first()
      .getByRole('button', { name: /^List all/ })
      .click();
    await expect.poll(shown).toContain(`${full.causes[0]!.explains} of ${full.checks.length} checks`);
  });

  it('has a link to each check', async () => {
    const last = full.checks.at(-1)!;
    const { page } = await open({}, `#${new URLSearchParams({ check: last.id })}`);
    expect(await page.locator('.check-head h2').innerText()).toBe(last.id);
    expect(await page.locator('.check-item[aria-selected=true]').innerText()).toContain(last.id);
    await expect.poll(() => page.title()).toContain(last.id);
    await page.locator('.list').press('ArrowUp');
    await page.locator('.check-head h2', { hasNotText: last.id }).waitFor();
  });

  it('handles a key that is pressed before the first frame', async () => {
    const { page } = await open();
    await page.addInitScript(() => {
      const press = () => dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown' }));
      addEventListener('DOMContentLoaded', press);
    });
    await page.reload();
    await page.locator('.check-head h2').waitFor();
  });

  it('prints causes and failures completely, and shows them without JavaScript', async () => {
    const { page } = await open();
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('#studio').isVisible()).toBe(false);
    expect(await page.locator('.static ol li').count()).toBe(full.causes.length);
    const example = page.locator('.static section').first();
    expect(await example.innerText()).toContain(full.causes[0]!.example);
    expect(await example.locator('pre').innerText()).toContain('curl -sS');
    const scrolling = await page.evaluate(
      () =>
        [...document.querySelectorAll('.static, .static *')].filter(
          (each) =>
            /auto|scroll/.test(getComputedStyle(each).overflowY) && each.scrollHeight > each.clientHeight,
        ).length,
    );
    expect(scrolling).toBe(0);
    // More than 170 failed checks.
    expect(String(await page.pdf()).match(/\/Type\s*\/Page\b/g)!.length).toBeLessThanOrEqual(20);
    await picture(page, 'report-print');
    await page.emulateMedia({ media: 'screen' });
    expect(await page.locator('.static').isVisible()).toBe(false);
    const { page: plain } = await open({ javaScriptEnabled: false });
    expect(await plain.locator('.static h1').innerText()).toBe('http://mock.test does not conform');
    expect(await plain.locator('.static section').count()).toBe(
      await plain.locator('.static section:visible').count(),
    );
  });

  it('fits a phone: causes, list, check, exchange', async () => {
    const { page, barriers } = await open(PHONE);
    const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(await overflow()).toBeLessThanOrEqual(0);
    await picture(page, 'report-phone');
    expect(await barriers()).toEqual([]);
    await page.getByRole('button', { name: 'Checks' }).click();
    await page.locator('.check-item').first().waitFor();
    expect(await overflow()).toBeLessThanOrEqual(0);
    expect(await barriers()).toEqual([]);
    await page.locator('.check-item').first().click();
    await page.locator('.diagram .row').first().click();
    await page.locator('.inspector').waitFor();
    expect(await overflow()).toBeLessThanOrEqual(0);
    await page.getByRole('button', { name: /^Causes/ }).click();
    await page.locator('.cause').first().waitFor();
  });

  it.each([
    ['good', createGoodReport, 'conforms'],
    ['mixed', createMixedReport, 'does not conform'],
    ['of a client', createClientReport, 'node client.mjs'],
    ['crashed', createCrashedReport, 'taskdouble itself failed'],
  ])('%s: shows the verdict and each part of the report', async (_, make, words) => {
    const report = make();
    const { page, said, barriers } = await show(report);
    const overview = await page.locator('.overview').innerText();
    expect(overview).toContain(words);
    expect(await page.locator('.checks .shown').innerText()).toBe(`${report.checks.length} checks`);
    for (const id of Object.keys(report.dialect)) expect(overview).toContain(id);
    for (const { message } of report.advice?.slice(0, 1) ?? []) expect(overview).toContain(message);
    for (const problem of report.baseline?.problems ?? []) expect(overview).toContain(problem);
    expect(await barriers()).toEqual([]);
    expect(said).toEqual([]);
  });

  it('executes and loads nothing from a service, on a phone too', async () => {
    const { page, said } = await show(createHostileReport(), PHONE);
    const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(await overflow()).toBeLessThanOrEqual(0);
    await page.getByRole('button', { name: 'See an example' }).click();
    await page.locator('.message-text', { hasText: '<script>window.hacked=1</script>' }).waitFor();
    expect(await overflow()).toBeLessThanOrEqual(0);
    expect(await page.evaluate(() => 'hacked' in window)).toBe(false);
    expect(await page.locator('img, iframe, svg[onload]').count()).toBe(0);
    expect(said).toEqual([]);
  });

  it('has a policy that blocks foreign scripts', async () => {
    const other = html.replace('</main>', '<script>window.hacked=1</script></main>');
    const { page, said } = await openFile(other);
    expect(await page.evaluate(() => 'hacked' in window)).toBe(false);
    expect(said.join()).toMatch(/Content Security Policy/);
    await page.locator('.cause').first().waitFor();
  });
});
