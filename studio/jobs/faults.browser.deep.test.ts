import { describe, expect, it } from 'vitest';
import { chromium } from '../../test/support/report/browser.js';
import { requireBrowser } from '../../test/support/report/require-browser.js';
import { listBarriers } from '../../test/support/studio/barriers.js';
import { countClicks } from '../../test/support/studio/count-clicks.js';
import { usePictures } from '../../test/support/studio/use-pictures.js';
import { useStudio } from '../../test/support/studio/use-studio.js';

requireBrowser('the faults in studio');

const FAIL_POLL = 'Fail the next poll with 503';

describe.skipIf(chromium === undefined)('the faults in studio', () => {
  const openStudio = useStudio();
  const picture = usePictures();

  async function open() {
    const opened = await openStudio({ clock: 'manual' }, { viewport: { width: 1440, height: 1300 } });
    const { baseUrl, page } = opened;
    const send = async (method: string, path: string, key: string, body?: object) => {
      const headers = { apikey: key, 'content-type': 'application/json' };
      const text = body && { body: JSON.stringify(body) };
      const response = await fetch(`${baseUrl}/api/v1${path}`, { method, headers, ...text });
      // biome-ignore lint/suspicious/noExplicitAny: what the API responds.
      return { status: response.status, r: ((await response.json()) as any).r };
    };
    const create = async (key: string, task: string): Promise<string> =>
      (await send('POST', '/task', key, { task })).r.id;
    const poll = async (id: string, key: string) => (await send('GET', `/task/${id}`, key)).status;
    const button = (name: string | RegExp) =>
      page.getByRole('button', { name, exact: typeof name === 'string' });
    const rules = page.locator('.rules > li');
    const did = (text: string) => page.getByRole('status').filter({ hasText: text }).first().waitFor();
    return { ...opened, create, poll, button, rules, did };
  }

  it('a fault for "the next" request acts once in all keys, also in later ones; the scope is a choice', async () => {
    const { page, create, poll, button, rules, did } = await open();
    const [one, other] = [await create('a', 'One'), await create('b', 'Other')];
    await page.locator('.item').nth(1).waitFor();
    await button(FAIL_POLL).click();
    await did('added');
    expect([await poll(one, 'a'), await poll(other, 'b')]).toEqual([503, 202]);
    const later = await create('c', 'Later');
    expect(await poll(later, 'c')).toBe(202);
    await rules.filter({ hasText: 'hit 1×, spent, all keys together' }).waitFor();

    await page.getByLabel('Scope of new faults').selectOption('all keys, each once');
    await button(FAIL_POLL).click();
    await rules.nth(1).waitFor();
    expect([await poll(one, 'a'), await poll(other, 'b'), await poll(later, 'c')]).toEqual([503, 503, 503]);
  });

  it('with two keys, a fault meets only the key of the selected task, or only the task', async () => {
    const { page, create, poll, button, did } = await open();
    const [one, other] = [await create('a', 'One'), await create('b', 'Other')];
    const same = await create('b', 'Same key');
    const item = page.locator('.item', { hasText: 'Other' });
    await item.waitFor();
    const clicks = await countClicks(page);
    await item.click();
    await button(FAIL_POLL).click();
    await did('added');
    expect(await clicks()).toBeLessThanOrEqual(2);
    expect([await poll(one, 'a'), await poll(other, 'b'), await poll(other, 'b')]).toEqual([202, 503, 202]);
    await page.getByLabel('Scope of new faults').selectOption('this task');
    await button(FAIL_POLL).click();
    await page.locator('.rules > li', { hasText: 'of one task' }).waitFor();
    expect([await poll(same, 'b'), await poll(other, 'b')]).toEqual([202, 503]);
  });

  it('edits a rule, switches it off and on, and orders, duplicates and repeats rules', async () => {
    const { page, mock, create, poll, button, rules, did, said } = await open();
    const id = await create('a', 'One');
    await page.locator('.item').click();
    await page.getByLabel('Rule in shorthand').fill('fail 503 of poll');
    await page.getByLabel('Rule in shorthand').press('Enter');
    await rules.first().waitFor();
    expect(await poll(id, 'a')).toBe(503);
    const clicks = await countClicks(page);
    await button(/^Edit fail status 503/).click();
    await rules.getByLabel('status *').fill('418');
    await button('Save fault').click();
    await rules.filter({ hasText: 'status 418' }).waitFor();
    expect(await poll(id, 'a')).toBe(418);
    await rules.getByRole('checkbox').click();
    await rules.filter({ hasText: 'off' }).waitFor();
    expect(await clicks()).toBeLessThanOrEqual(3);
    expect(await poll(id, 'a')).toBe(202);
    await button(/^Why/).click();
    await did('It is switched off. It has acted once.');
    await rules.getByRole('checkbox').click();
    await did('the rule is on');
    expect(await poll(id, 'a')).toBe(418);

    // A preset twice is one rule, and a spent one acts again.
    for (const times of [1, 2]) {
      await button(FAIL_POLL).click();
      await rules.filter({ hasText: `status 503 of poll times ${times}` }).waitFor();
    }
    expect(await rules.count()).toBe(2);
    await button(/^Earlier: fail status 503/).click();
    await expect
      .poll(() => mock.network.list('a')[0]!.rules.map((each) => each.id))
      .toEqual(['rule-2', 'rule-1']);
    expect([await poll(id, 'a'), await poll(id, 'a'), await poll(id, 'a')]).toEqual([503, 503, 418]);
    await rules.filter({ hasText: 'spent' }).waitFor();
    await button('Again').click();
    await did('begins again');
    await button(/^Duplicate fail status 503/).click();
    await rules.nth(2).waitFor();
    await picture(page, 'faults-list');
    expect(await listBarriers(page)).toEqual([]);
    await button(/^Remove fail status 503/)
      .first()
      .click();
    await expect.poll(() => rules.count()).toBe(2);
    // Also if the second click comes before the rule is listed.
    await button('Next response is no JSON').dblclick();
    await rules.filter({ hasText: 'garble' }).first().waitFor();
    await page.getByLabel('Rule in shorthand').fill('delay 5s of create');
    await page.getByLabel('Rule in shorthand').press('Enter');
    await rules.filter({ hasText: 'delay' }).waitFor();
    expect(await rules.filter({ hasText: 'garble' }).count()).toBe(1);
    expect(said).toEqual([]);
  });

  it('adds a fault for the next request of the kind of an exchange', async () => {
    const { page, create, poll, did } = await open();
    const id = await create('a', 'One');
    await poll(id, 'a');
    await page.locator('.item').click();
    await page.locator('.diagram .row').nth(1).click();
    await page.getByText('Fault for the next poll').click();
    await page.getByRole('button', { name: 'Fail with 503', exact: true }).click();
    await did('added "fail 503 of poll times 1"');
    expect([await poll(id, 'a'), await poll(id, 'a')]).toEqual([503, 202]);
  });
});
