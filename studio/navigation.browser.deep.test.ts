import { describe, expect, it } from 'vitest';
import { Mock } from '../mock/mock.js';
import { chromium } from '../test/support/report/browser.js';
import { requireBrowser } from '../test/support/report/require-browser.js';
import { useLivePage } from '../test/support/studio/use-live-page.js';

requireBrowser('the addresses of studio, its keys, and how it is printed');

describe.skipIf(chromium === undefined)('the addresses of studio', () => {
  const open = useLivePage();

  it('goes back through the selections; moves by key in a row are one', async () => {
    const { page, create, item, appears, said } = await open();
    for (const task of ['One', 'Two', 'Three', 'Four']) await create(task);
    await item('Four').click();
    await appears('.about h2', 'Four');
    for (const _ of [1, 2, 3]) await page.keyboard.press('ArrowDown');
    await appears('.about h2', 'One');
    await page.locator('.diagram .row').first().click();
    await page.locator('.inspector').waitFor();
    await page.goBack();
    await page.locator('.inspector').waitFor({ state: 'detached' });
    await appears('.about h2', 'One');
    await page.goBack();
    await appears('.about h2', 'Four');
    await page.goBack();
    await page.locator('.about').waitFor({ state: 'detached' });
    await page.goForward();
    await appears('.about h2', 'Four');
    expect(said).toEqual([]);
  });

  it('explains a link to a task that is not there', async () => {
    const { page, create, item, button, appears } = await open();
    await create('One');
    await page.evaluate(() => {
      location.hash = 'task=11111111-2222-4333-8444-555555555555';
    });
    await appears('main', 'There is no task 11111111-2222-4333-8444-555555555555.');
    await appears('main', 'Run the client again');
    expect(await page.locator('.conversation').count()).toBe(0);
    await button('Show what is here').click();
    await item('One').click();
    await appears('.about h2', 'One');
    const go = (part: string) =>
      page.evaluate((added) => {
        location.hash += added;
      }, part);
    await go('&exchange=999');
    await appears('.tabs', '#999 is not in this conversation');
    await go('&compare=11111111-2222-4333-8444-555555555555');
    await appears('.comparison', 'There is no task 11111111-2222-4333-8444-555555555555.');
    expect(await page.locator('.comparison .diagram').count()).toBe(0);
    await button('Show what is here').click();
    await page.locator('.comparison').waitFor({ state: 'detached' });
  });

  it('reports that the mock was restarted, and how many conversations are gone', async () => {
    const { page, mock, baseUrl, create, item, button, appears } = await open();
    for (const task of ['One', 'Two']) await create(task);
    await item('Two').click();
    await appears('.about h2', 'Two');
    await mock.close();
    await appears('.connection', 'not connected');
    const next = new Mock({ clock: 'manual' });
    await next.listen({ port: Number(new URL(baseUrl).port) });
    try {
      await appears('.bar', 'The mock was restarted: 2 conversations are gone.');
      await appears('main', 'This conversation is not here');
      await button('OK').click();
      await page.getByText('The mock was restarted').waitFor({ state: 'detached' });
    } finally {
      await next.close();
    }
  });

  it('notices a restart also if the new mock has the same task and more exchanges', async () => {
    const { page, mock, baseUrl, create, item, appears } = await open();
    const id = await create('One');
    await item('One').click();
    await appears('.exchange-count', '1 exchange');
    await mock.close();
    await appears('.connection', 'not connected');
    const next = new Mock({ clock: 'manual' });
    const send = async (path: string, init?: RequestInit) => {
      const headers = { apikey: 'a', 'content-type': 'application/json' };
      return (await next.fetch(`${baseUrl}/api/v1/task${path}`, { ...init, headers })).json();
    };
    // The same seed gives the same id.
    expect(await send('', { method: 'POST', body: '{"task":"Another"}' })).toMatchObject({ r: { id } });
    await send(`/${id}`);
    await next.listen({ port: Number(new URL(baseUrl).port) });
    try {
      await appears('.bar', 'The mock was restarted: 1 conversation is gone.');
      await appears('.about h2', 'Another');
      await appears('.exchange-count', '2 exchanges');
      await page.locator('.diagram .row').first().click();
      await appears('.inspector', 'Another');
    } finally {
      await next.close();
    }
  });

  it('says what a control did only until another task is selected', async () => {
    const { page, create, item, button, appears } = await open();
    for (const task of ['One', 'Two']) await create(task);
    await item('One').click();
    await button('+1 s').click();
    await appears('.scope', '1 s later');
    await item('Two').click();
    await page.locator('.scope', { hasText: '1 s later' }).waitFor({ state: 'detached' });
  });
});

describe.skipIf(chromium === undefined)('studio for the keyboard, other colors and paper', () => {
  const open = useLivePage();

  it('moves the focus with the selection, so that a screen reader reads it out', async () => {
    const { page, create, appears } = await open();
    for (const task of ['One', 'Two']) await create(task);
    await appears('.item', 'Two');
    /** The text that a screen reader reads out. */
    const readFocus = () =>
      page.evaluate(() => {
        const element = document.activeElement;
        const option = document.getElementById(element?.getAttribute('aria-activedescendant') ?? '');
        return option?.textContent ?? (element === document.body ? '' : (element?.textContent ?? ''));
      });
    await page.keyboard.press('ArrowDown');
    await expect.poll(readFocus).toContain('Two');
    await page.keyboard.press('ArrowDown');
    await expect.poll(readFocus).toContain('One');
    expect(await readFocus()).not.toContain('Two');
    await page.locator('.diagram .row').first().waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(readFocus).toContain('POST /task');
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-current'))).toBe('true');
    await page.keyboard.press('Escape');
    await expect.poll(readFocus).toContain('One');
  });

  it('follows the visible rows of a log that is sorted or filtered', async () => {
    const { page, create, send, item } = await open();
    const id = await create('One');
    for (let n = 0; n < 3; n++) await send('GET', `/task/${id}`);
    await send('GET', '/task/none').catch(() => undefined);
    await send('DELETE', `/task/${id}`);
    await send('GET', `/task/${id}`);
    await item('One').click();
    await page.getByRole('tab', { name: 'Log' }).click();
    const selected = () => page.locator('.log-line[aria-selected="true"]').getAttribute('data-seq');
    const press = async (key: string, seq: string) => {
      await page.keyboard.press(key);
      await expect.poll(selected).toBe(seq);
    };
    // Newest first.
    const byTime = page.getByRole('columnheader', { name: 'Time' }).getByRole('button');
    await byTime.click();
    await byTime.click();
    await page.locator('.log-line').first().click();
    await expect.poll(selected).toBe('7');
    await press('ArrowDown', '6');
    await press('ArrowDown', '4');
    await press('ArrowUp', '6');
    await page.getByLabel('Filter the log').fill('kind:poll');
    await expect.poll(() => page.locator('.log-line').count()).toBe(4);
    await press('ArrowDown', '7');
    await press('ArrowDown', '4');
    // Beside the diagram the log keeps the focus.
    await page.getByRole('tab', { name: 'Both' }).click();
    await page.locator('.log').focus();
    await press('ArrowDown', '3');
    await press('ArrowDown', '2');
    // The diagram shows every exchange, in the order of the requests.
    await page.locator('.diagram .row[data-seq="3"]').click();
    for (const seq of ['4', '6']) {
      await page.keyboard.press('ArrowDown');
      await page.locator(`.diagram .row.selected[data-seq="${seq}"]`).waitFor();
    }
  });

  it('clears the filter with Escape', async () => {
    const { page, create, appears, item } = await open();
    for (const task of ['One', 'Two']) await create(task);
    await appears('.item', 'Two');
    await page.keyboard.press('/');
    await page.keyboard.type('One');
    await item('Two').waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await item('Two').waitFor();
    expect(await page.getByLabel('Filter by text').inputValue()).toBe('');
    await item('One').click();
    await page.getByRole('tab', { name: 'Log' }).click();
    const filter = page.getByLabel('Filter the log');
    await filter.fill('kind:poll');
    await filter.press('Escape');
    expect(await filter.inputValue()).toBe('');
    await appears('.log-line', 'One');
  });

  it('shows in forced colors which button is pressed and which item is selected', async () => {
    const { page, create, item, button } = await open({}, { forcedColors: 'active' });
    for (const task of ['One', 'Two']) await create(task);
    await item('One').click();
    await page.locator('.diagram .row').first().waitFor();
    const readColor = (locator: ReturnType<typeof item>) =>
      locator.evaluate((element) => getComputedStyle(element).backgroundColor);
    const highlight = await readColor(item('One'));
    expect(await readColor(item('Two'))).not.toBe(highlight);
    const controls = button('Controls');
    expect(await readColor(controls)).toBe(highlight);
    expect(await readColor(page.getByRole('tab', { name: 'Diagram' }))).toBe(highlight);
    await controls.click();
    expect(await readColor(controls)).not.toBe(highlight);
    // Colors of the system replace backgrounds: the mark of a status is a character.
    const mark = item('Two').locator('.status');
    expect(await mark.evaluate((element) => getComputedStyle(element, '::before').content)).toBe('"●"');
  });

  it('keeps the beginning of a title from right to left, and the names of the lanes at 60 %', async () => {
    const { page, create, item } = await open();
    await create('שלום עולם זה שם ארוך מאוד של משימה שאינה נכנסת לרוחב העמודה של הרשימה');
    await item('שלום').click();
    const isFirstVisible = (selector: string) =>
      page.locator(selector).evaluate((element) => {
        const range = document.createRange();
        range.setStart(element.firstChild!, 0);
        range.setEnd(element.firstChild!, 1);
        const [letter, box] = [range.getBoundingClientRect(), element.getBoundingClientRect()];
        return letter.left >= box.left && letter.right <= box.right + 1;
      });
    expect(await isFirstVisible('.item .title')).toBe(true);
    expect(await isFirstVisible('.about h2')).toBe(true);
    await page.locator('.diagram .row').first().waitFor();
    for (let n = 0; n < 3; n++) await page.keyboard.press('-');
    await page.getByRole('button', { name: '60 %' }).waitFor();
    const box = (await page.locator('.scroller').boundingBox())!;
    for (const head of await page.locator('.lane-heads span').all()) {
      const { x, width } = (await head.boundingBox())!;
      expect(x).toBeGreaterThanOrEqual(box.x);
      expect(x + width).toBeLessThanOrEqual(box.x + box.width);
    }
  });

  it('prints the whole conversation and nothing around it', async () => {
    const { page, create, send, item, appears } = await open();
    const id = await create('Long');
    for (let n = 0; n < 100; n++) await send('POST', `/task/${id}/event`, { name: 7 });
    await item('Long').click();
    await appears('.tabs', '101 exchanges');
    // After the listeners of the page.
    await page.evaluate(() => {
      addEventListener('beforeprint', () => {
        document.body.dataset.printed = String(document.querySelectorAll('.diagram .row').length);
      });
    });
    const pages = String(await page.pdf()).match(/\/Type\s*\/Page\b/g)!.length;
    expect(pages).toBeGreaterThanOrEqual(5);
    expect(pages).toBeLessThanOrEqual(12);
    expect(await page.locator('body').getAttribute('data-printed')).toBe('101');
    await page.emulateMedia({ media: 'print' });
    for (const hidden of ['.conversations', '.controls', '.tabs', '.bar button'])
      expect(await page.locator(hidden).first().isVisible()).toBe(false);
    expect(await page.locator('.about h2').isVisible()).toBe(true);
  });
});
