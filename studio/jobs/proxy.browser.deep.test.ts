import { afterEach, describe, expect, it } from 'vitest';
import { startProxy, closeAll as stopProxies } from '../../test/support/proxy/servers.js';
import { chromium } from '../../test/support/report/browser.js';
import { requireBrowser } from '../../test/support/report/require-browser.js';
import { listBarriers } from '../../test/support/studio/barriers.js';
import { countClicks } from '../../test/support/studio/count-clicks.js';
import { usePictures } from '../../test/support/studio/use-pictures.js';
import { useStudio } from '../../test/support/studio/use-studio.js';

requireBrowser('studio of a proxy');

const TOOL = { name: 'ask', description: 'Asks.', inputs: {}, output: 'An answer.' };
const MOST_CLICKS = 3;

describe.skipIf(chromium === undefined)('a conversation through the proxy', () => {
  const openStudio = useStudio();
  const picture = usePictures();
  afterEach(stopProxies);

  it('is watched, gets a fault that the service never sees, and shows the defect of the client', async () => {
    const viewport = { width: 1440, height: 900 };
    const { mock, baseUrl, page, said } = await openStudio({ clock: 'manual' }, { viewport });
    const timeline = [
      { service: 'tool_call', id: 'question', tool: 'ask', input: {} },
      { client: 'reply', to: 'question' },
      { service: 'finish', output: 'Tea.' },
    ];
    await mock.scenario({
      name: 'tea',
      title: 'Tea',
      request: { task: 'Which tea?', custom_tools: [TOOL] },
      timeline,
    } as never);
    const { url } = await startProxy(baseUrl);
    const send = async (method: string, path: string, body?: object) => {
      const response = await fetch(`${url}/api/v1${path}`, {
        method,
        headers: { apikey: 'a', 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      });
      // biome-ignore lint/suspicious/noExplicitAny: what the API responds.
      return { status: response.status, r: ((await response.json()) as any).r };
    };
    await page.goto(`${url}/__studio`);
    await page.getByText(`proxy at ${url}`).waitFor();
    const clicks = await countClicks(page);
    const { id } = (await send('POST', '/task', { task: 'Which tea?', custom_tools: [TOOL] })).r;
    await page.locator('.item', { hasText: 'Which tea?' }).click();
    await page.getByRole('button', { name: 'Fail the next poll with 503' }).click();
    await page.locator('.rules li').first().waitFor();
    const polls = () => mock.journal({ key: 'a', kind: 'poll' }).length;
    expect([(await send('GET', `/task/${id}`)).status, polls()]).toEqual([503, 0]);
    const [call] = (await send('GET', `/task/${id}`)).r.events;
    const reply = (output: string) => {
      const payload = { code: 200, output };
      return send('POST', `/task/${id}/event`, {
        id: call.id,
        name: 'tool_call',
        payload,
        timestamp: Date.now(),
      });
    };
    // A client that runs its tool again.
    await reply('green');
    await reply('black');
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
    expect(said.filter((each) => !each.startsWith(url))).toEqual([]);
  }, 60_000);
});
