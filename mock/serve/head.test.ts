import { afterEach, describe, expect, it } from 'vitest';
import { operations } from '../../spec/generated/operations.js';
import { Mock } from '../mock.js';
import type { MockOptions } from '../options/mock-options.js';

let mock: Mock | undefined;
afterEach(() => mock?.close());

const KEY = { apikey: 'k' };
const TASK = '11111111-2222-4333-8444-555555555555';

async function start(options: MockOptions = {}) {
  mock = new Mock({ clock: 'manual', ...options });
  const { baseUrl } = await mock.listen();
  const send = async (method: string, path: string, headers: Record<string, string> = KEY) => {
    const response = await fetch(`${baseUrl}${path}`, { method, headers });
    const { date, connection, 'keep-alive': _, ...sent } = Object.fromEntries(response.headers);
    return { status: response.status, headers: sent, body: await response.text() };
  };
  const body = JSON.stringify({ task: 'Find tea' });
  const created = await mock.fetch('/api/v1/task', { method: 'POST', headers: KEY, body });
  const { id } = (await created.json()).r;
  return { mock, send, id: String(id) };
}

const READS = Object.values(operations).filter(({ method }) => method === 'GET');

describe('HEAD', () => {
  it.each([
    ...READS.map(({ path }) => `/api/v1${path}`),
    '/api/v1/nothing',
    '/',
    '/live/TASK',
    '/downloads/TASK.zip',
    '/recordings/nothing',
    '/__studio',
    '/openapi.yaml',
    '/__admin',
    '/__admin/health',
    '/__admin/journal?limit=x',
    '/__admin/tasks/TASK',
    '/__admin/tasks/nothing',
  ])('of %s has status and headers of GET, and no body', async (path) => {
    const { send, id } = await start();
    const address = path
      .replace('TASK', id)
      .replace('{task_id}', id)
      .replaceAll(/\{\w+\}/g, TASK);
    // HEAD first: a GET may change the next response.
    const head = await send('HEAD', address);
    const get = await send('GET', address);
    expect(head).toEqual({ ...get, body: '' });
    expect(get.headers).toHaveProperty('content-length');
  });

  it('is no poll: it changes nothing, and neither network rules nor checks apply', async () => {
    const { mock, send, id } = await start({
      dialect: { 'poll.long-poll': 'on' },
      network: [{ network: 'fail', status: 503, of: { operation: 'getTask' }, times: 1 }],
    });
    const before = mock.snapshot().organisations[0]!.state;
    expect(await send('HEAD', `/api/v1/task/${id}`)).toMatchObject({ status: 202, body: '' });
    const { tasks } = mock.snapshot().organisations[0]!.state;
    expect(tasks).toEqual(before.tasks);
    expect(mock.journal().at(-1)).toMatchObject({
      kind: 'unknown',
      request: { method: 'HEAD' },
      response: { status: 202, body: '' },
    });
    expect(mock.journal().at(-1)).not.toHaveProperty('operation');
  });

  it('lets time pass on a clock that skips waits', async () => {
    const { mock, send, id } = await start({ clock: 'skipping' });
    let requests = 0;
    while ((await send('HEAD', `/api/v1/task/${id}`)).status === 202 && requests < 2000) requests++;
    expect((await send('GET', `/api/v1/task/${id}`)).status).toBe(200);
    expect(mock.task(id)).toMatchObject({ status: 'done' });
  });

  it('ends where GET would stream, and in process has no body either', async () => {
    const { mock, send } = await start();
    expect(await send('HEAD', '/__admin/stream')).toMatchObject({
      status: 200,
      headers: { 'content-type': 'text/event-stream' },
      body: '',
    });
    const response = await mock.fetch('/api/v1/usage', { method: 'HEAD', headers: KEY });
    expect([response.status, response.body, response.headers.get('content-type')]).toEqual([
      200,
      null,
      'application/json',
    ]);
  });

  it('is allowed where GET is', async () => {
    const { send } = await start();
    for (const path of ['/api/v1/usage', '/__admin/health', '/live/x']) {
      const { status, headers } = await send('PUT', path);
      expect([status, headers.allow]).toEqual([405, expect.stringContaining('GET, HEAD')]);
    }
    const { status, headers } = await send('HEAD', '/__admin/reset');
    expect([status, headers.allow]).toEqual([405, 'POST']);
  });
});
