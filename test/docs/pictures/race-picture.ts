import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium as playwright } from 'playwright-core';
import { removeReadersProject } from '../../support/installed.js';
import { chromium } from '../../support/report/browser.js';
import { Workbench } from '../support/workbench.js';
import { encodePng } from './encode-png.js';

const PICTURE = join(import.meta.dirname, '../../../docs/pictures/race-runs.png');

/**
 * Writes docs/pictures/race-runs.png: a race, found by this command, in a browser. Fonts differ between machines, so
 * that nothing compares it. Says so where there is no browser.
 */
export async function takeRacePicture(explore: string): Promise<void> {
  if (chromium === undefined) {
    console.warn(`No Chromium here: ${PICTURE} stays as it is.`);
    return;
  }
  const bench = new Workbench();
  const browser = await playwright.launch({ executablePath: chromium, args: ['--no-sandbox'] });
  try {
    const race = 'taskdouble-races/line-tool-runs-weather.yaml';
    const { code, output } = await bench.run(
      `(${explore}) > report.txt 2>&1; npx taskdouble view ${race} --out race.html`,
    );
    if (code !== 0) throw new Error(output);
    const page = await browser.newPage({ viewport: { width: 1200, height: 780 } });
    await page.goto(pathToFileURL(join(bench.directory, 'race.html')).href);
    writeFileSync(PICTURE, encodePng([{ png: await page.screenshot(), delay: 0 }]));
    console.log('docs/pictures/race-runs.png written');
  } finally {
    await browser.close();
    await bench.clear();
    removeReadersProject();
  }
}
