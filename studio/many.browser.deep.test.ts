import { expect, it } from 'vitest';
import { getService } from '../mock/service.js';
import type { Exchange } from '../spec/vocabulary.js';
import { chromium } from '../test/support/report/browser.js';
import { requireBrowser } from '../test/support/report/require-browser.js';
import { useStudio } from '../test/support/studio/use-studio.js';

requireBrowser('studio with 100,000 exchanges');

const MANY = 100_000;
const MOST_ELEMENTS = 1500;

const openStudio = useStudio();

it.skipIf(chromium === undefined)('scrolls and selects among 100,000 exchanges of one task', async () => {
  const viewport = { width: 1440, height: 860 };
  const { mock, baseUrl, page, said } = await openStudio(
    { clock: 'manual', limits: { exchanges: MANY } },
    { viewport },
  );
  const headers = { apikey: 'a', 'content-type': 'application/json' };
  const created = await mock.fetch(`${baseUrl}/api/v1/task`, {
    method: 'POST',
    headers,
    body: '{"task":"Busy"}',
  });
  const { id } = ((await created.json()) as { r: { id: string } }).r;
  const poll = async (path = id) =>
    void (await (await mock.fetch(`${baseUrl}/api/v1/task/${path}`, { headers })).text());
  await poll();
  await poll(`${id}?event_t=nothing`);
  // The same exchanges many times: folded polls, and refused requests, which are not folded.
  const [create, quiet, refused] = mock.journal() as [Exchange, Exchange, Exchange];
  const { journal } = getService(mock).organisations.get('a')!;
  const copies = Array.from({ length: MANY - 2 }, (_, n) => ({
    ...(n % 5 === 0 ? refused : quiet),
    seq: n + 2,
  }));
  journal.restore([create, ...copies], MANY - 1);
  await page.reload();
  await page.locator('.item').click();
  await page.locator('.tabs', { hasText: `${MANY - 1} exchanges` }).waitFor();

  const elements = () => page.locator('*').count();
  const scroller = page.locator('.scroller');
  const row = (seq: number) => page.locator(`.diagram .row[data-seq="${seq}"]`);
  await page.getByRole('button', { name: 'Follow' }).click();
  const shares = { 1: 0, 50002: 0.5, 99997: 1 };
  for (const [seq, share] of Object.entries(shares)) {
    await scroller.evaluate((element, part) => {
      element.scrollTop = part * (element.scrollHeight - element.clientHeight);
    }, share);
    await row(Number(seq)).waitFor();
  }
  expect(await elements()).toBeLessThan(MOST_ELEMENTS);
  // By the pointer, by the keyboard (into a fold), by the address.
  await row(99_997).click();
  await page.locator('.inspector', { hasText: '#99997 GET' }).waitFor();
  await page.keyboard.press('ArrowUp');
  await page.locator('.diagram .row.selected[data-seq="99996"]').waitFor();
  await page.evaluate(() => {
    location.hash = location.hash.replace(/exchange=\d+/, 'exchange=50002');
  });
  await page.locator('.inspector', { hasText: '#50002 GET' }).waitFor();
  await page.locator('.diagram .row.selected[data-seq="50002"]').waitFor();
  // New exchanges are added.
  await page.keyboard.press('Escape');
  await poll();
  await page.locator('.tabs', { hasText: `${MANY} exchanges` }).waitFor();
  await page.getByRole('tab', { name: 'Log' }).click();
  await page.locator('.log-line').first().waitFor();
  expect(await elements()).toBeLessThan(MOST_ELEMENTS);
  // The whole log is searched, part by part, and sorted.
  await page.getByLabel('Filter the log').fill('status:4xx');
  await page.locator('.log-tools', { hasText: `20000 of ${MANY}` }).waitFor();
  await page.getByRole('columnheader', { name: 'Time' }).getByRole('button').dblclick();
  await page.locator('.log-line[data-seq="99997"]').waitFor();
  expect(await elements()).toBeLessThan(MOST_ELEMENTS);
  expect(said).toEqual([]);
});
