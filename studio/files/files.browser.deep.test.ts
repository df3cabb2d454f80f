import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readPageOfContent } from '../../cli/view-page.js';
import { chromium } from '../../test/support/report/browser.js';
import { requireBrowser } from '../../test/support/report/require-browser.js';
import { listBarriers } from '../../test/support/studio/barriers.js';
import { dropFile } from '../../test/support/studio/drop-file.js';
import { useLivePage } from '../../test/support/studio/use-live-page.js';

requireBrowser('files in studio');

const SCENARIO = `title: The agent asks once
request: { task: Find tea, custom_tools: [{ name: ask, description: Asks, inputs: {}, output: Text }] }
timeline:
  - { service: tool_call, id: ask, tool: ask, input: {} }
  - { client: reply, to: ask }
  - { service: finish, output: Green }
`;

describe.skipIf(chromium === undefined)('files in studio in Chromium', () => {
  const directory = mkdtempSync(join(tmpdir(), 'taskdouble-files-'));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));
  const open = useLivePage();

  it('draws a dropped scenario with its labels, in the width of the dialog', async () => {
    const { page, appears } = await open();
    for (const [width, most] of [
      [1440, 460],
      [375, 350],
    ] as const) {
      await page.setViewportSize({ width, height: 700 });
      await dropFile(page, { name: 'ask-once.yaml', text: SCENARIO });
      await appears('dialog .diagram text', 'Find tea');
      const drawn = (await page.locator('dialog .diagram').boundingBox())!.width;
      expect(drawn).toBeGreaterThan(240);
      expect(drawn).toBeLessThanOrEqual(most);
      await page.keyboard.press('Escape');
      await page.locator('dialog').waitFor({ state: 'detached' });
    }
  });

  it('saves the diagram as an image with the names of the lanes, and the line from a call to its replies in its color', async () => {
    const { page, mock, send, create, item, button } = await open();
    const id = await create('Find tea');
    await mock.clock.set({ advance: '1s' });
    const { events } = await send('GET', `/task/${id}?event_t=0`);
    const call = events.find(({ name }: { name: string }) => name === 'tool_call');
    const reply = { ...call, payload: { code: 200, output: 9 } };
    await send('POST', `/task/${id}/event`, reply);
    await item('Find tea').click();
    await page.locator('.diagram .thread circle').first().waitFor();
    await page.getByText('Export', { exact: true }).click();
    const [saved] = await Promise.all([page.waitForEvent('download'), button('Diagram (SVG)').click()]);
    const file = join(directory, 'diagram.svg');
    await saved.saveAs(file);
    const svg = readFileSync(file, 'utf8');
    for (const name of ['client', 'network', 'service']) expect(svg).toMatch(new RegExp(`>${name}</text>`));
    const circles = svg.match(/<circle [^>]*>/g)!;
    expect(circles.length).toBeGreaterThanOrEqual(2);
    expect(circles.filter((each) => each.includes('fill="rgb(0, 0, 0)"'))).toEqual([]);
  });

  it('shows a dropped file within landmarks', async () => {
    const { page } = await open({ readPage: readPageOfContent });
    const text = readFileSync('fixtures/recordings/chrome.har', 'utf8');
    await dropFile(page, { name: 'chrome.har', text });
    await page.getByRole('navigation', { name: 'Dropped file' }).getByText('chrome.har').waitFor();
    expect(await listBarriers(page)).toEqual([]);
  });
});
