import { describe, expect, it } from 'vitest';
import { requirements } from '../../spec/generated/requirements.js';
import { chromium } from '../../test/support/report/browser.js';
import { formatReport } from '../../test/support/report/format-report.js';
import { createCheck, createExchange, createReport } from '../../test/support/report/reports.js';
import { requireBrowser } from '../../test/support/report/require-browser.js';
import { countClicks } from '../../test/support/studio/count-clicks.js';
import { useFilePage } from '../../test/support/studio/use-file-page.js';

requireBrowser('a report of ten defects');

const DEFECTS = 10;

describe.skipIf(chromium === undefined)('the report of a service with ten defects', () => {
  const openFile = useFilePage();

  it('leads through all of them, two clicks each: the exchanges of a failure, and back to the causes', async () => {
    const covered = requirements.slice(0, DEFECTS).map(({ id }) => id);
    const exchanges = covered.map((id) => createExchange({}, { status: 500, body: `{"detail":"${id}"}` }));
    const checks = covered.flatMap((id, index) => {
      const evidence = [exchanges[index]!.seq];
      const message = `the defect ${index + 1}`;
      return [
        createCheck(`area-${index}/one#${id}`, 'failed', { message, evidence }),
        createCheck(`area-${index}/other#${id}`, 'failed', { message, evidence }),
      ];
    });
    const html = await formatReport(createReport(checks, { exchanges }), 'html');
    const { page, said } = await openFile(html, { viewport: { width: 1440, height: 900 } });
    const examples = page.locator('.cause').getByRole('button', { name: 'See an example' });
    expect(await examples.count()).toBe(DEFECTS);
    const clicks = await countClicks(page);
    const seen = new Set<string>();
    for (let at = 0; at < DEFECTS; at++) {
      await examples.nth(at).click();
      await page.locator('.diagram .row.has-findings').first().waitFor();
      await page.locator('.inspector .finding-box').waitFor();
      seen.add(await page.locator('.message-text').innerText());
      await page.getByRole('button', { name: '‹ Causes' }).click();
    }
    expect(seen.size).toBe(DEFECTS);
    expect(await clicks()).toBeLessThanOrEqual(2 * DEFECTS);
    expect(said).toEqual([]);
  });
});
