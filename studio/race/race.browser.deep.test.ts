import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadFunction } from '../../conformance/client/run/function-module.js';
import type { Race } from '../../conformance/explore/reproduce/race.js';
import { explore } from '../../conformance/explore/search/explore.js';
import { renderSelfContainedPage } from '../../mock/pages/studio-files.js';
import { chromium } from '../../test/support/report/browser.js';
import { HOSTILE } from '../../test/support/report/reports.js';
import { requireBrowser } from '../../test/support/report/require-browser.js';
import { useFilePage } from '../../test/support/studio/use-file-page.js';
import { usePictures } from '../../test/support/studio/use-pictures.js';

requireBrowser('the page of a race');

const CLIENT = join(import.meta.dirname, '../../fixtures/clients/buggy/lost-answer-is-failure.mjs');
const LINE = 'npx taskdouble explore --replay taskdouble-races/FILE --function client.mjs';
const WIDE = { viewport: { width: 1440, height: 860 } };
const PHONE = { viewport: { width: 375, height: 700 } };

describe.skipIf(chromium === undefined)('the page of a race in Chromium', () => {
  const openFile = useFilePage();
  const picture = usePictures();
  let race: Race;

  beforeAll(async () => {
    const { run } = await loadFunction(CLIENT);
    const options = { client: run!, scenarios: ['tool-calls/one-call'], schedules: 60, commandLine: LINE };
    const { failures } = await explore(options);
    race = failures.find(({ rule }) => rule === 'replies/same-again')!.race!;
  });

  const open = (options: object, shown = race) =>
    openFile(renderSelfContainedPage(shown.title, { kind: 'race', title: shown.title, race: shown }), {
      reducedMotion: 'reduce',
      ...options,
    });

  it('shows both runs with the deviation marked, the requirement in words, and the line that reproduces it', async () => {
    const permissions = ['clipboard-read', 'clipboard-write'];
    const { page, said, barriers } = await open({ ...WIDE, permissions });
    expect(await page.locator('h1').innerText()).toBe('A call got two different replies');
    expect(await page.locator('.race-head').innerText()).toContain(
      'CLIENT-02 A client that repeats a reply repeats it with the same code and output.',
    );
    expect(await page.locator('.run.good .mark span').allInnerTexts()).toEqual(['1']);
    expect(await page.locator('.run.bad .mark span').allInnerTexts()).toEqual(['1']);
    expect(await page.locator('.run.bad .cross').count()).toBe(1);
    expect(await page.locator('.run.good .cross').count()).toBe(0);
    const replies = (side: string) => page.locator(`.run.${side} text.reply`).allInnerTexts();
    expect([(await replies('good')).length, (await replies('bad')).length]).toEqual([1, 2]);
    await page.getByRole('button', { name: 'Copy', exact: true }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toBe(LINE.replace('FILE', `${race.name}.yaml`));
    await picture(page, 'race');
    expect(await barriers()).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await barriers()).toEqual([]);
    await picture(page, 'race-dark');
    expect(said).toEqual([]);
  });

  it('moves between steps and between exchanges, by keys and by mouse', async () => {
    const { page } = await open({ viewport: { width: 1440, height: 420 } });
    const step = () => page.locator('.story [aria-current]').innerText();
    const scrolled = () => page.locator('.scroller').evaluate(({ scrollTop }) => scrollTop);
    await expect.poll(step).toContain('Deviation 1: drop response of reply to weather');
    await page.keyboard.press('ArrowRight');
    await expect.poll(step).toContain('A call got two different replies');
    // The frame is at the same position in both runs, and visible.
    await page.locator('.mark.current').nth(1).waitFor();
    const frames = await page.locator('.mark.current').all();
    const tops = await Promise.all(frames.map(async (frame) => (await frame.boundingBox())!.y));
    expect([tops.length, new Set(tops).size]).toEqual([2, 1]);
    expect(tops[0]).toBeLessThan(420);
    await page.keyboard.press('Enter');
    await page.locator('.inspector', { hasText: 'replies/same-again' }).waitFor();
    await page.keyboard.press('Escape');
    await page.locator('.inspector').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Next →' }).click();
    await expect.poll(step).toContain('The end');
    expect(await page.getByRole('button', { name: 'Next →' }).isDisabled()).toBe(true);
    expect(await page.getByRole('status').first().innerText()).toBe('3 of 3');
    await expect.poll(scrolled).toBeGreaterThan(0);
    for (let n = 0; n < 20; n++) await page.keyboard.press('ArrowUp');
    await expect.poll(scrolled).toBe(0);
    await page.getByRole('button', { name: 'Next exchange' }).click();
    await page.locator('.run.good .row').first().click();
    await page.locator('.inspector', { hasText: 'createTask' }).waitFor();
    await page.locator('.story button').first().click();
    await expect.poll(step).toContain('Deviation 1');
    // The frame follows the row when zoomed.
    await page.keyboard.press('-');
    await page.getByRole('button', { name: '75 %' }).waitFor();
    const [frame, row] = await page
      .locator('.run.bad .mark.current, .run.bad .row[data-seq="4"] .back')
      .evaluateAll((all) => all.map((each) => each.getBoundingClientRect()));
    expect(Math.abs(frame!.y - row!.y)).toBeLessThan(2);
    expect(Math.abs(frame!.height - row!.height)).toBeLessThan(2);
    await page.setViewportSize({ width: 720, height: 430 });
    const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(await overflow()).toBeLessThanOrEqual(0);
  });

  it('fits a phone, one run at a time', async () => {
    const { page, barriers } = await open(PHONE);
    const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(await overflow()).toBeLessThanOrEqual(0);
    expect(await page.locator('.run').count()).toBe(1);
    await page.getByRole('button', { name: 'Next →' }).click();
    await page.locator('.mark.current').waitFor();
    expect(
      await page.locator('.mark.current').evaluate((mark) => mark.getBoundingClientRect().top),
    ).toBeLessThan(700);
    await picture(page, 'race-phone');
    await page.getByRole('tab', { name: 'Without deviations' }).click();
    await page.locator('.run.good').waitFor();
    expect(await overflow()).toBeLessThanOrEqual(0);
    expect(await barriers()).toEqual([]);
  });

  it('prints both runs completely', async () => {
    const { page } = await open({ viewport: { width: 1000, height: 300 } });
    const rows = () => page.locator('.run.bad .row').count();
    const before = await rows();
    await page.evaluate(() =>
      addEventListener('beforeprint', () => {
        document.title = String(document.querySelectorAll('.run.bad .row').length);
      }),
    );
    await page.pdf();
    expect(before).toBeLessThan(race.bad.exchanges.length);
    expect(await page.title()).toBe(String(race.bad.exchanges.length));
  });

  it('shows hostile content as text', async () => {
    const { bad, finding } = race;
    const exchanges = bad.exchanges.map(({ response, ...rest }) => ({
      ...rest,
      request: { ...rest.request, body: JSON.stringify({ task: HOSTILE }) },
      ...(response && { response: { ...response, body: HOSTILE } }),
    }));
    const deviations = [{ id: 'd1', text: HOSTILE, seqs: [1] }];
    const hostile = { title: HOSTILE, name: HOSTILE, scenario: HOSTILE, again: HOSTILE, deviations };
    const { page, said } = await open(WIDE, {
      ...{ ...race, ...hostile },
      finding: { ...finding, message: HOSTILE },
      bad: { ...bad, exchanges, end: { ...bad.end, text: HOSTILE } },
    });
    await page.locator('.run.bad .row').first().click();
    await page.locator('.inspector pre', { hasText: '<img src=x' }).first().waitFor();
    expect(await page.evaluate(() => 'hacked' in window)).toBe(false);
    expect(said).toEqual([]);
  });
});
