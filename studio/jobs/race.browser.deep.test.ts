import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadFunction } from '../../conformance/client/run/function-module.js';
import { formatRunsPath } from '../../conformance/explore/reproduce/race-page.js';
import { explore } from '../../conformance/explore/search/explore.js';
import type { ExploreReport } from '../../conformance/explore/types.js';
import { createSearchReport } from '../../conformance/report/search-report.js';
import { chromium } from '../../test/support/report/browser.js';
import { formatReport } from '../../test/support/report/format-report.js';
import { requireBrowser } from '../../test/support/report/require-browser.js';
import { countClicks } from '../../test/support/studio/count-clicks.js';
import { useFilePage } from '../../test/support/studio/use-file-page.js';
import { usePictures } from '../../test/support/studio/use-pictures.js';

requireBrowser('a race in a report');

const CLIENT = join(import.meta.dirname, '../../fixtures/clients/buggy/lost-answer-is-failure.mjs');
const MOST_BYTES = 2_000_000;

describe.skipIf(chromium === undefined)('a race in the report of a search', () => {
  const openFile = useFilePage();
  const picture = usePictures();
  const directory = mkdtempSync(join(tmpdir(), 'taskdouble-race-'));
  let found: ExploreReport;

  beforeAll(async () => {
    const { run } = await loadFunction(CLIENT);
    found = await explore({ client: run!, scenarios: ['tool-calls/one-call'], schedules: 60 });
  });
  afterAll(() => rmSync(directory, { recursive: true }));

  const file = ({ name }: { name: string }) => join(directory, `${name}.yaml`);
  const open = async () => {
    const context = { client: 'client.mjs', started: new Date(0), file, again: () => 'again' };
    const html = await formatReport(createSearchReport(found, context), 'html');
    const options = { viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' } as const;
    return { html, ...(await openFile(html, options)) };
  };

  it('is one click away from its failure, with the deviation, the finding and a way back', async () => {
    for (const failure of found.failures)
      writeFileSync(formatRunsPath(file(failure)), JSON.stringify(failure.race));
    const { html, page, said, barriers } = await open();
    expect(Buffer.byteLength(html)).toBeLessThan(MOST_BYTES);
    const clicks = await countClicks(page);
    await page.getByRole('button', { name: 'See an example' }).first().click();
    await page.getByRole('button', { name: 'Compare the run with one without the deviations' }).click();
    await page.locator('.run.bad .mark span').first().waitFor();
    expect(await page.locator('.run').count()).toBe(2);
    expect(await page.locator('.story .deviation').count()).toBeGreaterThan(0);
    expect(await clicks()).toBeLessThanOrEqual(2);
    await picture(page, 'report-race');
    expect(await barriers()).toEqual([]);
    await page.reload();
    await page.locator('.run.bad').waitFor();
    await page.getByRole('button', { name: '‹ Report' }).click();
    await page.locator('.check-head').waitFor();
    expect(await page.locator('.command', { hasText: 'taskdouble view' }).count()).toBe(0);
    expect(said).toEqual([]);
  });

  it('has the command if the runs are missing or too large', async () => {
    const [failure] = found.failures;
    for (const each of found.failures) rmSync(formatRunsPath(file(each)), { force: true });
    const long = { ...failure!.race!, title: 'x'.repeat(MOST_BYTES) };
    writeFileSync(formatRunsPath(file(failure!)), JSON.stringify(long));
    const { html, page } = await open();
    expect(Buffer.byteLength(html)).toBeLessThan(MOST_BYTES);
    await page.getByRole('button', { name: 'See an example' }).first().click();
    await page.locator('.command', { hasText: 'taskdouble view' }).waitFor();
  });
});
