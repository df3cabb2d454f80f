import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium as playwright } from 'playwright-core';
import { conform } from '../conformance/conform.js';
import { formatHtmlReport } from '../conformance/report/formats/html/page.js';
import { ReportView } from '../conformance/report/view.js';
import { mockTarget } from '../conformance/service/http-client/in-process.js';
import { Mock } from '../mock/mock.js';
import { type BenchRow, computeMedian } from './table.js';

/** The variable may name another. */
const CHROMIUM = process.env.CHROMIUM || '/usr/bin/chromium';
const ROUNDS = 7;
/** What the goal allows, ms and MB. */
const MOST_MS = 500;
const MOST_MB = 2;

/** How long the HTML report of a full run takes in a browser, from disk, until its causes and checks are there. */
export async function benchReportPage(): Promise<BenchRow[]> {
  const name = 'HTML report of a full run';
  if (!existsSync(CHROMIUM)) return [{ name, figure: '–', detail: 'no Chromium here' }];
  const { html, checks } = await writeReport();
  const directory = await mkdtemp(join(tmpdir(), 'taskdouble-bench-'));
  const browser = await playwright.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  try {
    const file = join(directory, 'report.html');
    await writeFile(file, html);
    const times: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const page = await browser.newPage();
      await page.goto(pathToFileURL(file).href);
      await page.locator('.check-item').first().waitFor();
      const readLoadEnd = () =>
        performance.getEntriesByType('navigation')[0]!.toJSON().loadEventEnd as number;
      times.push(await page.evaluate(readLoadEnd));
      await page.close();
    }
    const [ms, MB] = [computeMedian(times), Buffer.byteLength(html) / 1e6];
    return [
      {
        name,
        figure: `${Math.round(ms)} ms`,
        detail: `${checks} checks, ${MB.toFixed(2)} MB, opened from disk in Chromium until its load event; the script has rendered by then`,
        goal: `≤ ${MOST_MS} ms, ≤ ${MOST_MB} MB`,
        met: ms <= MOST_MS && MB <= MOST_MB,
      },
    ];
  } finally {
    await browser.close();
    await rm(directory, { recursive: true });
  }
}

/** Of the mock with one fault, which breaks several hundred checks: no error has a `detail`. */
async function writeReport(): Promise<{ html: string; checks: number }> {
  const mock = new Mock({ clock: 'manual', lightResponses: true });
  try {
    const target = mockTarget(mock, async (address, init) => {
      const response = await mock.fetch(String(address), init);
      return response.status < 400 ? response : Response.json({ message: 'no' }, { status: response.status });
    });
    const report = await conform({ ...target, apiKey: 'bench', concurrency: 1, seed: 1 });
    return { html: formatHtmlReport(new ReportView(report)), checks: report.checks.length };
  } finally {
    await mock.close();
  }
}
