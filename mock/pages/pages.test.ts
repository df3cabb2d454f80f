import { strFromU8, unzipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { createScenario, createWireRequest, startMock, WEATHER } from '../../test/support/mock/mock.js';
import type { WireRequest } from '../exchange/wire.js';
import { servePage } from './pages.js';

const EVIL = `<script>alert("x")</script><img src=x onerror='alert(1)'>`;
const TALK = createScenario(
  'talk',
  [
    {
      service: 'tool_call',
      id: 'first',
      tool: 'get_weather',
      input: { city: EVIL },
      after: { time_ms: 300 },
    },
    { client: 'reply', to: 'first' },
    { service: 'finish', output: { temp_c: 21, remark: EVIL } },
  ],
  { custom_tools: [WEATHER] },
);

async function start() {
  const mock = await startMock({ scenarios: [TALK] });
  const open = async (
    path: string,
    headers: Record<string, string> = {},
    more: Partial<WireRequest> = {},
  ) => {
    const response = await servePage(mock.service, {
      ...createWireRequest('GET', path, undefined, headers),
      ...more,
    });
    return response && { ...response, text: String(response.body) };
  };
  const completeTask = async () => {
    const id = await mock.create({ task: 'talk', custom_tools: [WEATHER] });
    await mock.control.clock.set({ advance: 300 }, 'a');
    const [call] = (await mock.poll(id)).r.events;
    await mock.control.clock.set({ advance: 200 }, 'a');
    await mock.sendEvent(id, { name: 'tool_call', id: call.id, payload: { code: 200, output: EVIL } });
    await mock.control.clock.set({ advance: 1000 }, 'a');
    return id;
  };
  return { ...mock, open, completeTask };
}

function expectSafe(page: { text: string; headers: Record<string, string> } | undefined): void {
  expect(page!.headers['content-type']).toBe('text/html; charset=utf-8');
  expect(page!.headers['content-security-policy']).toMatch(/^default-src 'none';/);
  expect(page!.headers['content-security-policy']).not.toContain('script-src');
  // External data must be text only: no element that loads or runs anything.
  expect(page!.text).not.toMatch(/<(script|img|link|iframe|object|base)|<[^>]*\s(src|on\w+)\s*=/i);
  expect(page!.text).toContain('<meta name="viewport"');
}

describe('the live page', () => {
  it('shows the progress of a task, reloads while it runs, and escapes everything', async () => {
    const { create, open, control } = await start();
    const id = await create({ task: EVIL, custom_tools: [WEATHER] });
    await control.clock.set({ advance: 950 }, 'a');
    const page = await open(`/live/${id}?b=abc`);
    expectSafe(page);
    expect(page!.status).toBe(200);
    expect(page!.text).toContain('http-equiv="refresh"');
    expect(page!.text).toContain('&lt;script&gt;alert(\\&quot;x\\&quot;)&lt;/script&gt;');
    expect(page!.text).toContain('get_weather');
    expect(page!.text).toContain('running');
  });

  it('stops reloading when the task is complete', async () => {
    const { open, completeTask } = await start();
    const page = await open(`/live/${await completeTask()}`);
    expectSafe(page);
    expect(page!.text).not.toContain('http-equiv="refresh"');
    expect(page!.text).toContain('done');
    expect(page!.text).toContain('&quot;temp_c&quot;: 21');
  });

  it('shows browsers of the deprecated operations, for 5 minutes', async () => {
    const { send, open, control } = await start();
    const { live_url } = (await send('POST', '/browser/session', { url: `https://a.example/${EVIL}` })).r;
    const path = new URL(live_url).pathname;
    const page = await open(path);
    expectSafe(page);
    expect(page!.text).toContain('live_id');
    expect(page!.text).toContain('https://a.example/&lt;script&gt;');
    await control.clock.set({ advance: '5m' }, 'a');
    expect((await open(path))!.status).toBe(404);
  });
});

describe('the recording', () => {
  it('shows the request, the calls and their replies, and the events', async () => {
    const { open, completeTask } = await start();
    const id = await completeTask();
    expectSafe(await open(`/recordings/${id}`));
    const response = await open(`/recordings/${id}`, { accept: 'application/json' });
    expect(response!.headers['content-type']).toBe('application/json');
    const { calls, ...page } = JSON.parse(response!.text);
    expect(page).toMatchObject({
      id,
      status: 'done',
      request: { task: 'talk' },
      events: [{ name: 'tool_call' }],
    });
    expect(calls).toMatchObject([{ tool: 'get_weather', reply: { code: 200, output: EVIL } }]);
    expectSafe(await open(`/recordings/${id}`, { accept: 'text/html,application/json' }));
  });

  it('shows the actions of a session', async () => {
    const { create, sendEvent, control, open } = await start();
    const id = await create({ task: null });
    const payload = { name: 'goto', input: { url: 'https://a.example' } };
    await sendEvent(id, { name: 'browser_action', id: 'e1', payload });
    await control.clock.set({ advance: 1000 }, 'a');
    const { text } = (await open(`/recordings/${id}`, { accept: 'application/json' }))!;
    expect(JSON.parse(text).actions).toMatchObject([{ id: 'e1', name: 'goto', answered: true }]);
  });
});

it('no page shows passwords and secrets that the client sent', async () => {
  const { create, sendEvent, open } = await start();
  const id = await create({ task: null, proxy_server: 'p.example', proxy_password: 'hunter2' });
  const secrets = { pin: { value: 'hunter2', allowed_urls: [] } };
  const payload = { name: 'run_task', input: { task: 'log in', secrets } };
  await sendEvent(id, { name: 'session_action', id: 'e1', payload });
  for (const path of [`/live/${id}`, `/recordings/${id}`]) {
    const { text } = (await open(path))!;
    expect(text).toContain(id);
    expect(text).not.toContain('hunter2');
  }
  expect((await open(`/recordings/${id}`))!.text).toContain('p.example');
});

describe('the downloads', () => {
  it('are a ZIP with output and events, the same bytes each time', async () => {
    const { open, completeTask } = await start();
    const id = await completeTask();
    const response = await open(`/downloads/${id}.zip`);
    expect(response!.headers).toMatchObject({ 'content-type': 'application/zip' });
    const files = unzipSync(response!.body as Uint8Array);
    expect(Object.keys(files)).toEqual(['output.json', 'events.json']);
    const read = (name: string) => JSON.parse(strFromU8(files[name]!));
    expect(read('output.json')).toMatchObject({ temp_c: 21 });
    expect(read('events.json')).toMatchObject([{ name: 'tool_call' }]);
    expect((await open(`/downloads/${id}.zip`))!.body).toEqual(response!.body);
  });
});

describe('other pages', () => {
  it('simulate the billing portal and invitations', async () => {
    const { send, open, control } = await start();
    const billing = await open(new URL((await send('GET', '/org/billing')).r).pathname);
    expectSafe(billing);
    expect(billing!.text).toContain('100000');
    await send('POST', '/org/user?email=a%40b.example');
    const link = /http\S+\/invite\/\S+/.exec(control.journal().at(-1)!.notes!.join(' '))![0];
    const invite = await open(new URL(link).pathname);
    expectSafe(invite);
    expect(invite!.text).toContain('a@b.example');
  });

  it('start with an example; list tasks for this machine only, and never keys', async () => {
    const { create, open } = await start();
    const id = await create({ task: EVIL }, 'key-that-is-secret');
    const page = await open('/', { host: '127.0.0.1:4010' });
    expectSafe(page);
    expect(page!.text).toContain('curl -s http://127.0.0.1:4010/api/v1/usage');
    expect(page!.text).toContain(`href="/live/${id}"`);
    expect(page!.text).not.toContain('key-that-is-secret');
    for (const other of [
      await open('/', {}, { loopback: false }),
      await open('/', { host: 'evil.example' }),
    ]) {
      expectSafe(other);
      expect(other!.text).not.toContain(id);
    }
    expect(
      JSON.parse((await open('/', { accept: 'application/json' }))!.text).organisations[0].tasks[0].id,
    ).toBe(id);
  });

  it.each([
    '/live/x',
    '/recordings/x',
    '/downloads/x.zip',
    '/downloads/x',
    '/billing/x',
    '/invite/x',
    '/live/__proto__',
  ])('%s is not found', async (path) => {
    const { open } = await start();
    const page = await open(path);
    expectSafe(page);
    expect(page!.status).toBe(404);
    const data = await open(path, { accept: 'application/json' });
    expect(data!.status).toBe(404);
    expect(JSON.parse(data!.text).detail).toEqual(expect.any(String));
  });

  it('do not handle other paths, and accept only GET', async () => {
    const { open, service } = await start();
    for (const path of ['/api/v1/task', '/__admin', '/favicon.ico', '/live', '/live/', '/live/a/b']) {
      expect(await open(path), path).toBeUndefined();
    }
    const refused = await servePage(service, createWireRequest('POST', '/live/x', '{}'));
    expect(refused).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } });
  });
});
