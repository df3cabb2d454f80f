import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { convertExchanges } from '../../conformance/recordings/scenario/convert-recording.js';
import { clientRules } from '../../conformance/rules/client-rules.js';
import { judgeExchanges } from '../../conformance/rules/judge.js';
import type { Exchange } from '../../spec/vocabulary.js';
import { chromium } from '../../test/support/report/browser.js';
import { requireBrowser } from '../../test/support/report/require-browser.js';
import { countClicks } from '../../test/support/studio/count-clicks.js';
import { usePictures } from '../../test/support/studio/use-pictures.js';
import { useStudio } from '../../test/support/studio/use-studio.js';

requireBrowser('a conversation that is exported and played again');

const judge = (exchanges: readonly Exchange[]) => judgeExchanges(clientRules, exchanges).findings();
const writeScenario = async (exchanges: Exchange[]) => ({
  yaml: convertExchanges(exchanges, 'studio').scenarios[0]!.yaml,
});

describe.skipIf(chromium === undefined)('a conversation that is exported and played again', () => {
  const openStudio = useStudio();
  const picture = usePictures();

  it('fails again for the same client, without a rule set by hand', async () => {
    const { page, mock, said } = await openStudio(
      { judge, writeScenario },
      { viewport: { width: 1440, height: 900 }, acceptDownloads: true },
    );
    const sentence = page.locator('.diagram text.sentence', { hasText: 'the tool ran twice' });
    await mock.network.set('drop response of reply times 1');
    await page.getByRole('button', { name: 'Run a hasty client' }).click();
    await sentence.waitFor();
    await page.locator('.item .status.done').waitFor();
    await mock.network.set([]);
    const clicks = await countClicks(page);

    await page.getByText('Export', { exact: true }).click();
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Scenario (YAML)' }).click();
    expect(readFileSync(await (await saved).path(), 'utf8')).toContain('output: { temp_c: 9 }');

    await page.getByText('Export', { exact: true }).click();
    await page.getByRole('button', { name: 'Play again with the next task' }).click();
    await page.getByText('the next task follows this conversation').waitFor();
    await page.getByRole('button', { name: 'Run a hasty client' }).click();
    await page.locator('.item .status.done').nth(1).waitFor();
    await sentence.waitFor();
    expect(await page.locator('.item').count()).toBe(2);
    await picture(page, 'play-again');
    expect(await clicks()).toBeLessThanOrEqual(5);
    expect(said).toEqual([]);
  });
});
