import type { BrowserContextOptions, Page, Request } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { clientRules } from '../conformance/rules/client-rules.js';
import { judgeExchanges } from '../conformance/rules/judge.js';
import type { Mock } from '../mock/mock.js';
import type { MockOptions } from '../mock/options/mock-options.js';
import { chromium } from '../test/support/report/browser.js';
import { requireBrowser } from '../test/support/report/require-browser.js';
import { listBarriers } from '../test/support/studio/barriers.js';
import { usePictures } from '../test/support/studio/use-pictures.js';
import { useStudio } from '../test/support/studio/use-studio.js';

requireBrowser('what studio shows of a mock that runs');

const TOOL = { name: 'ask', description: 'Asks.', inputs: {}, output: 'An answer.' };

describe.skipIf(chromium === undefined)('studio with a running mock in Chromium', () => {
  let page: Page;
  let mock: Mock;
  let baseUrl: string;
  let said: string[];

  const openStudio = useStudio();
  const picture = usePictures();

  async function open(options: MockOptions = {}, where: BrowserContextOptions = {}) {
    const viewport = { width: 1440, height: 860 };
    ({ mock, baseUrl, page, said } = await openStudio(
      { clock: 'manual', judge: (all) => judgeExchanges(clientRules, all).findings(), ...options },
      { viewport, reducedMotion: 'reduce', ...where },
    ));
    await page.getByText('live', { exact: true }).waitFor();
  }

  async function send(method: string, path: string, body?: object, key: string | null = 'a') {
    const response = await fetch(`${baseUrl}/api/v1${path}`, {
      method,
      headers: { ...(key !== null && { apikey: key }), 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    // biome-ignore lint/suspicious/noExplicitAny: what the API responds.
    return { status: response.status, r: ((await response.json()) as any).r };
  }
  const create = async (task: string, key?: string): Promise<string> =>
    (await send('POST', '/task', { task, custom_tools: [TOOL] }, key)).r.id;
  /** A task that follows this timeline. */
  async function follow(task: string, timeline: object[]): Promise<string> {
    const request = { task, custom_tools: [TOOL] };
    await mock.scenario({ name: task, title: task, request, timeline } as never);
    return create(task);
  }
  const statusOf = async (id: string) => (await send('GET', `/task/${id}`)).r.status as string;
  const item = (title: string) =>
    page.locator('.item', { has: page.locator('.title').getByText(title, { exact: true }) });
  const button = (name: string | RegExp) =>
    page.getByRole('button', { name, exact: typeof name === 'string' });
  const appears = (selector: string, text: string | RegExp) =>
    page.locator(selector, { hasText: text }).first().waitFor();
  /** Expects exactly these tasks in the list. */
  const shows = (titles: string[]) =>
    expect.poll(() => page.locator('.item .title').allInnerTexts()).toEqual(titles);
  const did = (text: string) => appears('.scope', text);

  it('filters by status, text and findings; lists refused requests with the reason, and sends one again', async () => {
    await open({ dialect: { 'task.first-status': 'waiting' } });
    const ids: Record<string, string> = {};
    for (const status of ['running', 'done', 'failed', 'cancelled'])
      ids[status] = await follow(`Task ${status}`, [{ service: 'finish', after: { gate: 'end' } }]);
    await mock.clock.set({ advance: '1m' });
    for (const status of ['done', 'failed', 'cancelled'])
      await mock.injectStep(ids[status]!, { service: 'finish', status });
    await create('Task waiting', 'b');
    await item('Task waiting').waitFor();
    for (const status of ['waiting', 'running', 'done', 'failed', 'cancelled']) {
      await page.getByLabel('Status', { exact: true }).selectOption(status);
      await shows([`Task ${status}`]);
    }
    // With two organisations, each task shows which key it has.
    mock.nameKey('second', 'b');
    const { hash } = mock.keys('a')[0]!;
    await page.getByLabel('Status', { exact: true }).selectOption('');
    await appears('.item', /Task waiting.*second/s);
    await appears('.item', new RegExp(`Task done.*key ${hash}`, 's'));
    // The client polls a task again that is done.
    for (let n = 0; n < 2; n++) expect(await statusOf(ids.done!)).toBe('done');
    // Advice is counted and marked separately, not as a failure.
    await item('Task done').locator('.badge.advice', { hasText: '1 ℹ' }).waitFor();
    await item('Task done').click();
    await page.locator('.diagram .row.has-advice').last().click();
    await page.locator('.diagram .finding.advice').first().waitFor();
    await page.locator('.finding-box.advice', { hasText: 'ℹ polling/one-more' }).waitFor();
    for (const red of ['.badge.bad', '.row.has-findings', '.finding.bad', '.finding-box.bad'])
      expect(await page.locator(red).count()).toBe(0);
    await page.getByLabel('findings').check();
    await shows(['Task done']);
    await page.getByLabel('Filter by text').fill('no such text');
    await button('Clear them').click();
    await page.locator('.item').nth(4).waitFor();

    const refused = [
      await send('POST', '/org/user?email=nobody'),
      await send('POST', '/task', { task: 'No key' }, null),
      await send('GET', '/task/none'),
      // Listed although it has a task.
      await send('POST', `/task/${ids['running']}/event`, { name: 7 }),
    ];
    await mock.network.set('fail 429 of create times 1', 'a');
    refused.push(await send('POST', '/task', { task: 'Too much' }));
    expect(refused.map(({ status }) => status)).toEqual([400, 401, 404, 422, 429]);
    await button('Other requests 5').click();
    for (const { status } of refused) await appears('.log-line .warn', String(status));
    await picture(page, 'refused');
    await page.locator('.log-line', { hasText: '429' }).click();
    await appears('.why', 'network (fail): failed with 429');
    // The fault is spent: the same request succeeds now.
    await page.getByText('Send again', { exact: true }).click();
    await button('Send').click();
    await appears('.inspector', 'sent as #');
    await item('Too much').waitFor();
    expect(said).toEqual([]);
  });

  it('marks a line of the log and its arrow together; shows handler, scenario and step; copies as Mermaid', async () => {
    await open({}, { permissions: ['clipboard-read', 'clipboard-write'] });
    const id = await follow('Ask me', [
      { service: 'tool_call', id: 'question', tool: 'ask', input: {} },
      { service: 'finish', after: { gate: 'end' } },
    ]);
    const { r } = await send('GET', `/task/${id}?event_t=0`);
    const { timestamp } = r.events[0];
    for (let n = 0; n < 4; n++) await send('GET', `/task/${id}?event_t=${timestamp}`);
    await mock.network.set('drop response of poll times 1');
    await send('GET', `/task/${id}?event_t=0`).catch(() => {});
    await item('Ask me').click();
    await page.getByRole('tab', { name: 'Both' }).click();
    const line = (text: string) => page.locator('.log-line', { hasText: text }).first();
    const row = (seq: number) => page.locator(`.diagram .row[data-seq="${seq}"]`);
    await line('tool_call ask').hover();
    await page.locator('.diagram .row.hovered[data-seq="2"]').waitFor();
    await row(1).hover();
    await page.locator('.log-line.hovered', { hasText: 'POST /task' }).waitFor();
    await line('response dropped').click();
    await page.locator('.diagram .row.selected[data-seq="7"]').waitFor();
    await row(2).click();
    await page.locator('.log-line[aria-selected="true"]', { hasText: 'tool_call ask' }).waitFor();
    await appears('.why', /getTask.*scenario Ask me.*is step question/s);
    // `Raw` shows the exact bytes.
    await page.getByRole('group', { name: 'Body of the response' }).getByText('Raw').click();
    await page.locator('.inspector pre', { hasText: /^\{"r":\{"id":/ }).waitFor();
    await picture(page, 'log-and-diagram');
    expect(await listBarriers(page)).toEqual([]);
    // Polls without news are one line in both.
    await line('4 polls, 202, nothing new').click();
    await line('GET /task').waitFor();
    await row(4).waitFor();
    await page.getByText('Export', { exact: true }).click();
    await button('Copy as Mermaid diagram').click();
    await appears('.export-menu', 'copied');
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toMatch(/^sequenceDiagram\n.*Client->>Service: \+0 ms: POST \/task/s);
    expect(said).toEqual([]);
  });

  it('moves the clock: mode, speed, pause, one second, the next event; the next poll returns the events that became due', async () => {
    let wall = Date.parse('2026-03-01');
    await open({ wall: () => wall });
    const start = mock.clock.now();
    const after = (time: string) => [{ service: 'finish', after: { time } }];
    let id = await follow('five', after('5s'));
    await item('five').click();
    await appears('.now', 'Waiting for 5.00 s more, then service finish');
    await button('+1 s').click();
    await appears('.now', 'Waiting for 4.00 s more');
    expect(mock.clock.now('a')).toBe(start + 1000);
    expect(await statusOf(id)).toBe('running');
    await button(/^To the next event/).click();
    await appears('.about .status', 'done');
    expect(await statusOf(id)).toBe('done');
    expect(mock.clock.now('a')).toBe(start + 5000);

    await page.getByLabel('Clock mode').selectOption('skipping');
    await did('clock is skipping');
    id = await follow('skipped', after('1h'));
    // A poll without news advances the clock to the next due event.
    await send('GET', `/task/${id}`);
    expect(await statusOf(id)).toBe('done');

    await page.getByLabel('Clock mode').selectOption('real');
    await did('clock is real');
    await page.getByLabel('Speed').selectOption('100');
    await did('speed 100');
    id = await follow('fast', after('5s'));
    wall += 49;
    expect(await statusOf(id)).toBe('running');
    await button('Pause').click();
    await did('clock paused');
    wall += 3_600_000;
    expect(await statusOf(id)).toBe('running');
    await button('Resume').click();
    await did('clock resumed');
    expect(await statusOf(id)).toBe('running');
    wall += 1;
    expect(await statusOf(id)).toBe('done');
    expect(said).toEqual([]);
  });

  it('completes, fails and cancels tasks, also queued ones and sessions, and shows why a step waits', async () => {
    await open();
    const end = async (name: string, id: string, text: string, click: string) => {
      await item(name).click();
      await button(click).click();
      await did(text);
      return (await send('GET', `/task/${id}`)).r as { status: string; output: unknown };
    };
    const failed = await create('To fail');
    const record = await end('To fail', failed, 'the task is failed', 'Fail it');
    expect(record).toMatchObject({ status: 'failed', output: 'Failed from studio.' });
    // A finished task has no buttons.
    await button('Cancel it').waitFor({ state: 'detached' });
    const session = (await send('POST', '/task', {})).r.id;
    expect(await end('Session', session, 'the task is cancelled', 'Cancel it')).toMatchObject({
      status: 'cancelled',
    });
    // It ends before the page is updated: the second click is refused.
    await create('Two clicks');
    await item('Two clicks').click();
    await button('Cancel it').evaluate((element) => {
      (element as HTMLElement).click();
      (element as HTMLElement).click();
    });
    await did('is cancelled: it accepts no more steps');
    expect(said).toEqual([]);
  });

  it('shows that a queued task ends after the queue, and ends it then', async () => {
    await open({ dialect: { 'task.first-status': 'waiting' } });
    const id = await create('Queued');
    await item('Queued').click();
    await appears('.now', /Waiting for [\d.]+ m?s more in the queue/);
    await button('Cancel it').click();
    await did('the task is still waiting');
    expect(await statusOf(id)).toBe('waiting');
    await button(/^To the next event/).click();
    await appears('.about .status', 'cancelled');
    expect(await statusOf(id)).toBe('cancelled');
  });

  it('shows above the diagram what each kind of step waits for, with one small request at a time', async () => {
    await open();
    const asked: string[] = [];
    const underWay: string[] = [];
    const twice: string[] = [];
    const pathOf = (request: Request) => new URL(request.url()).pathname;
    page.on('request', (request) => {
      const path = pathOf(request);
      if (!/\/tasks\/./.test(path)) return;
      if (underWay.includes(path)) twice.push(path);
      asked.push(path);
      underWay.push(path);
    });
    page.on('requestfinished', (request) => {
      underWay.splice(0, underWay.length, ...underWay.filter((path) => path !== pathOf(request)));
    });
    const call = { service: 'tool_call', id: 'question', tool: 'ask', input: {} };
    const texts: [name: string, timeline: object[], line: string][] = [
      [
        'polls',
        [{ service: 'finish', after: { polls: 2 } }],
        'Waiting for the client: 2 more polls, then service finish',
      ],
      ['gate', [{ service: 'finish', after: { gate: 'go' } }], 'Waiting for gate go, then service finish'],
      [
        'time',
        [{ service: 'finish', after: { time: '1500ms' } }],
        'Waiting for 1.50 s more, then service finish',
      ],
      [
        'reply',
        [call, { service: 'finish', after: { reply: 'question' } }],
        'Waiting for the client: reply to ask {}, which no response has listed yet, then service finish',
      ],
      [
        'client',
        [call, { client: 'reply', to: 'question' }],
        'Waiting for the client: reply to ask {}, which no response has listed yet',
      ],
      ['cancel', [{ client: 'cancel' }], 'Waiting for the client: stop the task'],
      ['poll', [{ client: 'poll', times: 2 }], 'Waiting for the client: 2 more polls'],
      [
        'several',
        [{ service: 'finish', after: { time: '1s', polls: 1, gate: 'g' } }],
        'Waiting for 1.00 s more and the client: 1 more poll and gate g, then service finish',
      ],
    ];
    for (const [name, timeline, line] of texts) {
      await follow(name, timeline);
      await item(name).click();
      await appears('.now', line);
    }
    const id = mock.journal()[0]!.task!;
    await send('GET', `/task/${id}`);
    await item('polls').click();
    await appears('.now', '1 more poll,');
    // One request at a time, and never for the whole task while it runs.
    expect(asked.filter((path) => !path.endsWith('/runs'))).toEqual([]);
    await send('GET', `/task/${id}`);
    await appears('.about .status', 'done');
    expect(twice).toEqual([]);
    expect(said).toEqual([]);
  });
});
