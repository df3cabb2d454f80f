import { describe, expect, it } from 'vitest';
import { clientRules } from '../../conformance/rules/client-rules.js';
import { judgeExchanges } from '../../conformance/rules/judge.js';
import { chromium } from '../../test/support/report/browser.js';
import { requireBrowser } from '../../test/support/report/require-browser.js';
import { listBarriers } from '../../test/support/studio/barriers.js';
import { countClicks } from '../../test/support/studio/count-clicks.js';
import { usePictures } from '../../test/support/studio/use-pictures.js';
import { useStudio } from '../../test/support/studio/use-studio.js';

requireBrowser('a list of 200 tasks');

describe.skipIf(chromium === undefined)('three tasks of 200 with findings', () => {
  const openStudio = useStudio();
  const picture = usePictures();

  async function open() {
    const judge = (all: Parameters<typeof judgeExchanges>[1]) => judgeExchanges(clientRules, all).findings();
    const opened = await openStudio(
      { clock: 'manual', judge },
      { viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' },
    );
    const { baseUrl, mock, page } = opened;
    const send = async (method: string, path: string, key: string, body?: object) => {
      const response = await mock.fetch(`${baseUrl}/api/v1${path}`, {
        method,
        headers: { apikey: key, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      });
      return ((await response.json()) as { r: { id: string } }).r;
    };
    const create = async (task: string, key: string) => {
      const request = { task, enable_recording: false };
      return (await send('POST', '/task', key, request)).id;
    };
    const shows = (titles: string[]) =>
      expect
        .poll(async () => (await page.locator('.item .title').allInnerTexts()).sort())
        .toEqual(titles.toSorted());
    const totals = page.locator('.totals');
    return { ...opened, send, create, shows, totals };
  }

  it('shows how many there are, and only them, with what they share', async () => {
    const { page, mock, send, create, shows, totals, said } = await open();
    mock.nameKey('team-a', 'key-one');
    mock.nameKey('team-b', 'key-two');
    const ids: string[] = [];
    for (let n = 1; n <= 200; n++) ids.push(await create(`Task ${n}`, n % 2 === 0 ? 'key-two' : 'key-one'));
    // Three clients poll without a pause; the finding of each grows with every poll.
    for (const n of [20, 77, 140])
      for (let polls = 0; polls < 12; polls++)
        await send('GET', `/task/${ids[n - 1]}`, n % 2 === 0 ? 'key-two' : 'key-one');
    await expect.poll(() => totals.innerText()).toBe('200 tasks · 3 with findings · 200 running');
    const clicks = await countClicks(page);
    await page.getByLabel('findings').check();
    await shows(['Task 140', 'Task 77', 'Task 20']);
    await expect.poll(() => totals.innerText()).toBe('3 of 200 tasks · 3 with findings · 200 running');
    // Advice has its own mark, and is counted once.
    await expect.poll(() => page.locator('.item .badge').allInnerTexts()).toEqual(['1 ℹ', '1 ℹ', '1 ℹ']);
    expect(await page.locator('.item .badge.bad').count()).toBe(0);
    await page.locator('.item', { hasText: 'Task 77' }).click();
    await page.locator('.conversation', { hasText: 'polls in a row' }).first().waitFor();
    // `Label` counts twice: the click and the change of the checkbox.
    expect(await clicks()).toBeLessThanOrEqual(3);
    await page.getByLabel('Group by').selectOption('key');
    await page.locator('.group', { hasText: 'team-b' }).getByText('2 · 2 with findings').waitFor();
    await page.locator('.group', { hasText: 'team-a' }).click();
    await shows(['Task 140', 'Task 20']);
    await picture(page, 'list-groups');
    await page.getByLabel('Group by').selectOption('rule');
    const name = page.locator('.group .title', { hasText: 'polling/' }).first();
    expect(await name.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
    expect(await listBarriers(page)).toEqual([]);
    expect(await page.locator('body').innerText()).not.toContain('key-one');
    expect(said).toEqual([]);
  });

  it('keeps one finding while it grows, with the number of polls that it has', async () => {
    const { page, mock, send, create, said } = await open();
    const id = await create('Impatient', 'a');
    const counted = async (polls: number) => {
      await send('GET', `/task/${id}`, 'a');
      await expect
        .poll(() => mock.findings().map(({ message }) => message.split(' came')[0]))
        .toEqual([`${polls} polls in a row`]);
      await page.locator('.next, .conversation, .item', { hasText: 'Impatient' }).first().waitFor();
    };
    for (let polls = 0; polls < 5; polls++) await send('GET', `/task/${id}`, 'a');
    for (let polls = 5; polls < 8; polls++) {
      await counted(polls);
      await page.locator('.item .badge.advice', { hasText: '1 ℹ' }).waitFor();
    }
    await page.locator('.item').click();
    await page.getByRole('tab', { name: 'Log' }).click();
    await page.locator('.log-line .finding', { hasText: 'polling/pace' }).first().waitFor();
    // The log has the runs of polls with the same advice in one row.
    await expect.poll(() => page.locator('.log-line').count()).toBe(2);
    await expect
      .poll(() => page.locator('.log-line .finding').last().getAttribute('title'))
      .toContain('7 polls in a row');
    expect(await page.locator('.item .badge').allInnerTexts()).toEqual(['1 ℹ']);
    expect(said).toEqual([]);
  });

  it('finds tasks and exchanges by the same words', async () => {
    const { page, mock, send, create, shows, said } = await open();
    mock.nameKey('team-b', 'b');
    const tea = await create('Tea', 'a');
    await create('Coffee with temp_c', 'b');
    await mock.network.set('fail 503 of poll times 1', 'a');
    for (let polls = 0; polls < 3; polls++) {
      await send('GET', `/task/${tea}`, 'a').catch(() => undefined);
      await mock.clock.set({ advance: '20ms' });
    }
    const filter = page.getByLabel('Filter by text');
    for (const [words, titles] of Object.entries({
      'status:5xx': ['Tea'],
      'body:temp_c': ['Coffee with temp_c'],
      'key:team-b': ['Coffee with temp_c'],
      'kind:poll tea': ['Tea'],
      '-kind:poll': ['Coffee with temp_c'],
      'kind:reply': [],
    })) {
      await filter.fill(words);
      await shows(titles);
    }
    await filter.fill('');
    await page.locator('.item .title').getByText('Tea', { exact: true }).click();
    await page.getByRole('tab', { name: 'Log' }).click();
    const words = page.getByLabel('Filter the log');
    const statuses = () => page.locator('.log-line .status-code').allInnerTexts();
    await words.fill('kind:poll status:5xx');
    await expect.poll(statuses).toEqual(['503']);
    await words.fill('kind:poll');
    await expect.poll(statuses).toEqual(['503', '202', '202']);
    await page.getByRole('columnheader', { name: 'Status' }).getByRole('button').click();
    await expect.poll(statuses).toEqual(['202', '202', '503']);
    const head = page.getByRole('columnheader', { name: 'Status' });
    expect(await head.getAttribute('aria-sort')).toBe('ascending');
    await head.getByRole('button').click();
    await expect.poll(statuses).toEqual(['503', '202', '202']);
    // A long text is cut, and shown whole by the wrapped log.
    await words.fill('status:5xx');
    await expect.poll(statuses).toEqual(['503']);
    const what = page.locator('.log-line .what').first();
    const isCut = () => what.evaluate((element) => element.scrollWidth > element.clientWidth);
    expect(await isCut()).toBe(true);
    await page.getByRole('button', { name: 'Wrap' }).click();
    await expect.poll(isCut).toBe(false);
    expect(await listBarriers(page)).toEqual([]);
    expect(said).toEqual([]);
  });
});
