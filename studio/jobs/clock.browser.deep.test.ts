import { describe, expect, it } from 'vitest';
import { chromium } from '../../test/support/report/browser.js';
import { requireBrowser } from '../../test/support/report/require-browser.js';
import { countClicks } from '../../test/support/studio/count-clicks.js';
import { usePictures } from '../../test/support/studio/use-pictures.js';
import { useStudio } from '../../test/support/studio/use-studio.js';

requireBrowser('the clock in studio');

const MINUTE_MS = 60_000;

describe.skipIf(chromium === undefined)('the clock in studio', () => {
  const openStudio = useStudio();
  const picture = usePictures();

  async function open() {
    const opened = await openStudio({ clock: 'manual' }, { viewport: { width: 1440, height: 900 } });
    const { baseUrl, page, mock } = opened;
    /** A task that ends after a time; starts the clock of its key. */
    const follow = async (task: string, time: string): Promise<string> => {
      const timeline = [{ service: 'finish', after: { time } }];
      await mock.scenario({ name: task, title: task, request: { task }, timeline } as never);
      const response = await fetch(`${baseUrl}/api/v1/task`, {
        method: 'POST',
        headers: { apikey: 'a', 'content-type': 'application/json' },
        body: JSON.stringify({ task, enable_recording: false }),
      });
      return ((await response.json()) as { r: { id: string } }).r.id;
    };
    const button = (name: string | RegExp) =>
      page.getByRole('button', { name, exact: typeof name === 'string' });
    const due = page.getByRole('list', { name: 'What is due' });
    return { ...opened, follow, button, due };
  }

  it('lets ten minutes pass, and the task that waits for them ends', async () => {
    const { page, mock, follow, button, due } = await open();
    const id = await follow('Wait for the report', '10m');
    await due.getByText('service finish, in 10 min 0 s').waitFor();
    const clicks = await countClicks(page);
    await button('+10 min').click();
    await page.locator('.item .status.done').waitFor();
    expect(mock.task(id).status).toBe('done');
    expect(await clicks()).toBeLessThanOrEqual(1);
  });

  it('names the next event and its time; asks before a move that ends a task by its time-out', async () => {
    const { page, mock, follow, button, said } = await open();
    const id = await follow('Find tea', '5s');
    await button('To the next event: service finish, in 5.00 s').click();
    await page.locator('.item .status.done').waitFor();
    expect(mock.clock.now('a')).toBe(mock.task(id).createdAt + 5000);

    const waiting = await follow('Never ends', '30d');
    await follow('Waits, too', '30d');
    await page.getByRole('listitem').filter({ hasText: 'fails, in 1 d · Waits, too' }).waitFor();
    await button('To the next event: time-out: the task fails, in 1 d').waitFor();
    const before = mock.clock.now('a');
    const question = page.getByRole('alert').filter({ hasText: '“Never ends” fails by its time-out' });
    for (const move of [
      () => button(/^To the next event/).click(),
      () =>
        page
          .getByLabel('Move the clock by')
          .fill('25h')
          .then(() => button('Move').click()),
    ]) {
      await move();
      await question.filter({ hasText: '“Waits, too” fails' }).waitFor();
      await picture(page, 'clock-question');
      await button('Cancel').click();
      await question.waitFor({ state: 'detached' });
      expect([mock.clock.now('a'), mock.task(waiting).status]).toEqual([before, 'running']);
    }
    await page.getByLabel('Move the clock by').fill('90');
    await page.getByLabel('Move the clock by').press('Enter');
    await page.getByText('the clock is 1 min 30 s later').waitFor();
    expect(mock.clock.now('a')).toBe(before + 1.5 * MINUTE_MS);
    await button(/^To the next event/).click();
    await button('Move the clock').click();
    await page.locator('.item .status.failed').first().waitFor();
    expect(said).toEqual([]);
  });

  it('says why a button cannot be used, and shows each time with its zone', async () => {
    const { page, follow, button, said } = await open();
    await page.getByText('A clock starts with the first request').waitFor();
    await follow('Find tea', '1s');
    await page.getByText('2026-01-01 00:00:00 UTC').waitFor();
    await page.getByRole('button', { name: 'UTC', exact: true }).click();
    await page.getByText(/20\d\d-\d\d-\d\d \d\d:\d\d:00 UTC/).waitFor();
    await page.getByRole('button', { name: /^local/ }).click();
    await button('Move').click({ force: true });
    await page.getByRole('status').filter({ hasText: 'Enter a duration: 90s, 5m, 1h.' }).waitFor();
    await page.getByLabel('Move the clock by').fill('soon');
    await button('Move').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('status').filter({ hasText: '"soon" is no duration' }).waitFor();
    const modes = await page.getByLabel('Clock mode').locator('option').allInnerTexts();
    expect(modes.map((text) => text.split(':')[0])).toEqual(['real', 'manual', 'skipping']);
    expect(said).toEqual([]);
  });
});
