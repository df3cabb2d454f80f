import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { clientRules } from '../../conformance/rules/client-rules.js';
import { judgeExchanges } from '../../conformance/rules/judge.js';
import type { Exchange } from '../../spec/vocabulary.js';
import { chromium } from '../../test/support/report/browser.js';
import { requireBrowser } from '../../test/support/report/require-browser.js';
import { countClicks } from '../../test/support/studio/count-clicks.js';
import { useFilePage } from '../../test/support/studio/use-file-page.js';
import { useStudio } from '../../test/support/studio/use-studio.js';

requireBrowser('a conversation that is shared');

const VIEWPORT = { width: 1440, height: 900 };
const judge = (exchanges: readonly Exchange[]) => judgeExchanges(clientRules, exchanges).findings();

describe.skipIf(chromium === undefined)('a conversation that is shared', () => {
  const openStudio = useStudio();
  const openFile = useFilePage();

  it('opens for somebody else at the same exchange: by a link, and as a page without a mock', async () => {
    const { page, mock, said } = await openStudio({ judge }, { viewport: VIEWPORT, acceptDownloads: true });
    await mock.network.set('drop response of reply times 1');
    await page.getByRole('button', { name: 'Run a hasty client' }).click();
    await page.locator('.item .status.done').waitFor();
    const clicks = await countClicks(page);
    await page.locator('.diagram .row', { hasText: 'the tool ran twice' }).click();
    const title = await page.locator('.inspector h2').innerText();

    const other = await page.context().browser()!.newPage({ viewport: VIEWPORT });
    await other.goto(page.url());
    await other.locator('.inspector h2', { hasText: title }).waitFor();
    await other.close();

    await page.getByText('Export', { exact: true }).click();
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'HTML page of this conversation' }).click();
    const html = readFileSync(await (await saved).path(), 'utf8');
    expect(await clicks()).toBeLessThanOrEqual(3);
    expect(said).toEqual([]);

    const exchange = new URLSearchParams(new URL(page.url()).hash.slice(1)).get('exchange');
    const file = await openFile(html, { viewport: VIEWPORT }, `#exchange=${exchange}`);
    await file.page.locator('.inspector h2', { hasText: title }).waitFor();
    await file.page.locator('.diagram text.sentence', { hasText: 'the tool ran twice' }).waitFor();
    await file.page.locator('.difference', { hasText: 'output.temp_c' }).waitFor();
    // There is no documentation beside a file, and nothing is sent from it.
    expect(await file.page.locator('.docs-link').count()).toBe(0);
    expect(await file.page.getByText('Send again').count()).toBe(0);
    expect(await file.barriers()).toEqual([]);
    expect(file.said).toEqual([]);
  });
});
