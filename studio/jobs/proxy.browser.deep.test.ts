import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { readPageOfContent } from '../../cli/view-page.js';
import { startProxy, closeAll as stopProxies } from '../../test/support/proxy/servers.js';
import { chromium } from '../../test/support/report/browser.js';
import { requireBrowser } from '../../test/support/report/require-browser.js';
import { listBarriers } from '../../test/support/studio/barriers.js';
import { countClicks } from '../../test/support/studio/count-clicks.js';
import { dropFile } from '../../test/support/studio/drop-file.js';
import { usePictures } from '../../test/support/studio/use-pictures.js';
import { useStudio } from '../../test/support/studio/use-studio.js';

requireBrowser('studio of a proxy');

const TOOL = { name: 'ask', description: 'Asks.', inputs: {}, output: 'An answer.' };
const MOST_CLICKS = 3;

describe.skipIf(chromium === undefined)('a conversation through the proxy', () => {
  const openStudio = useStudio();
  const picture = usePictures();
  afterEach(stopProxies);

  /** A mock as the service, a proxy before it, and the page of the proxy. */
  async function open() {
    const viewport = { width: 1440, height: 900 };
    const { mock, baseUrl, page, said } = await openStudio({ clock: 'manual' }, { viewport });
    const timeline = [
      { service: 'tool_call', id: 'question', tool: 'ask', input: {} },
      { client: 'reply', to: 'question' },
      { service: 'finish', output: 'Tea.' },
    ];
    const request = { task: 'Which tea?', custom_tools: [TOOL] };
    await mock.scenario({ name: 'tea', title: 'Tea', request, timeline } as never);
    const { url } = await startProxy(baseUrl, { readPage: readPageOfContent });
    const send = async (method: string, path: string, body?: object) => {
      const response = await fetch(`${url}/api/v1${path}`, {
        method,
        headers: { apikey: 'a', 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      });
      // biome-ignore lint/suspicious/noExplicitAny: what the API responds.
      return { status: response.status, r: ((await response.json()) as any).r };
    };
    const reply = (task: string, id: string, output: string) => {
      const payload = { code: 200, output };
      return send('POST', `/task/${task}/event`, { id, name: 'tool_call', payload, timestamp: Date.now() });
    };
    await page.goto(`${url}/__studio`);
    await page.getByText(`proxy at ${url}`).waitFor();
    const create = async (): Promise<string> => (await send('POST', '/task', request)).r.id;
    const item = page.locator('.item', { hasText: 'Which tea?' });
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    const foreign = () => said.filter((each) => !each.startsWith(url));
    return { mock, url, page, send, reply, create, item, button, foreign };
  }

  it('is watched, gets a fault that the service never sees, and shows the defect of the client', async () => {
    const { mock, page, send, reply, create, item, foreign } = await open();
    const clicks = await countClicks(page);
    const id = await create();
    await item.click();
    await page.getByRole('button', { name: 'Fail the next poll with 503' }).click();
    await page.locator('.rules li').first().waitFor();
    const polls = () => mock.journal({ key: 'a', kind: 'poll' }).length;
    expect([(await send('GET', `/task/${id}`)).status, polls()]).toEqual([503, 0]);
    const [call] = (await send('GET', `/task/${id}`)).r.events;
    // A client that runs its tool again.
    for (const output of ['green', 'black']) await reply(id, call.id, output);
    await page.locator('.diagram', { hasText: '503' }).waitFor();
    await page.locator('.item .badge.bad').waitFor();
    await picture(page, 'proxy');
    await page.locator('.diagram .row[data-seq="5"]').click();
    await page
      .locator('.inspector')
      .getByText(/two different replies/)
      .first()
      .waitFor();
    expect(await clicks()).toBeLessThanOrEqual(MOST_CLICKS);
    // The service's own clock is not the proxy's.
    expect(await page.getByLabel('Clock mode').count()).toBe(0);
    expect(await listBarriers(page)).toEqual([]);
    expect(foreign()).toEqual([]);
  });

  it('says what it waits for: the reply that the client owes, and a request without a response', async () => {
    const { page, send, reply, create, item, button, foreign } = await open();
    const id = await create();
    await item.click();
    const now = page.locator('.now');
    const waitsFor = (text: string | RegExp) => now.getByText(text).waitFor();
    await now.waitFor({ state: 'detached' });
    const [call] = (await send('GET', `/task/${id}`)).r.events;
    await waitsFor(/for the client: reply to ask \{\}, listed at .*, not polled since/);
    await send('GET', `/task/${id}?event_t=${call.timestamp}`);
    await waitsFor(/polled once since/);
    await button('Show it').click();
    await page.locator('.inspector', { hasText: call.id }).waitFor();
    // The state of the service is unknown.
    expect(await now.getByRole('button').allInnerTexts()).toEqual(['Show it']);
    await page.request.post(new URL('/__admin/network', page.url()).href, {
      data: [{ network: 'hold', side: 'request', of: 'reply', until: { gate: 'go' } }],
    });
    const held = reply(id, call.id, 'green');
    await waitsFor(/^The reply \(.*\) has no response yet/);
    await page.request.post(new URL('/__admin/gates', page.url()).href, { data: { name: 'go' } });
    await held;
    await now.waitFor({ state: 'detached' });
    expect(foreign()).toEqual([]);
  });

  it('sends a request again to the service with the key that the user enters, after a warning', async () => {
    const { mock, page, send, create, item, button, foreign } = await open();
    const id = await create();
    await send('GET', `/task/${id}`);
    await item.click();
    await page.locator('.diagram .row[data-seq="1"]').click();
    const form = page.locator('.send-again');
    await form.getByText('This request reaches the real service').waitFor();
    const body = form.getByLabel('Body');
    await body.fill((await body.inputValue()).replace('Which tea?', 'Which coffee?'));
    await button('Send to the real service').click();
    await form.getByText('the service responded with 401').waitFor();
    await form.getByLabel('API key').fill('b');
    await button('Send to the real service').click();
    await form.getByText('the service responded with 200').waitFor();
    expect(
      mock.journal({ key: 'b', kind: 'create' }).map(({ request }) => JSON.parse(request.body!).task),
    ).toEqual(['Which coffee?']);
    // It is recorded like a request of a client.
    await page.locator('.item', { hasText: 'Which coffee?' }).waitFor();
    expect(foreign()).toEqual([]);
  });

  it('shows a file that is dropped on the page, and plays no scenario', async () => {
    const { page, create, item, button, foreign } = await open();
    await create();
    await item.click();
    const root = join(import.meta.dirname, '../..');
    const read = (file: string) => readFileSync(join(root, file), 'utf8');
    await dropFile(page, { name: 'bug.har', text: read('fixtures/recordings/chrome.har') });
    await page.locator('.opened .diagram .row').first().waitFor();
    await button('← Back to the proxy').click();
    await item.waitFor();
    await dropFile(page, { name: 'tea.yaml', text: read('scenarios/races/vanishing-task.yaml') });
    await page.getByRole('alert').getByText('A proxy plays no scenario; a mock does.').waitFor();
    await button('Close').click();
    expect(foreign()).toEqual([]);
  });
});
