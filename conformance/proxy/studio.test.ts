import { expect, it } from 'vitest';
import { Mock } from '../../mock/mock.js';
import { createProxy } from './service-proxy.js';

it('serves studio: its page, tasks derived from exchanges, and the stream', async () => {
  const mock = new Mock({ clock: 'manual' });
  const proxy = createProxy({ target: 'http://mock', fetch: mock.fetch });
  const send = (path: string, init?: RequestInit) => proxy.fetch(`http://proxy${path}`, init);
  const headers = { apikey: 'a', 'content-type': 'application/json' };
  const created = await send('/api/v1/task', { method: 'POST', headers, body: '{"task":"Tea"}' });
  const { id } = ((await created.json()) as { r: { id: string } }).r;
  const poll = async () => (await send(`/api/v1/task/${id}`, { headers })).text();
  const list = async () => (await (await send('/__admin/tasks')).json()) as { tasks: object[] };
  await poll();
  await (await send('/api/v1/task/none', { headers })).text();
  const task = { id, title: 'Tea', kind: 'task' };
  expect(await list()).toMatchObject({
    tasks: [{ ...task, status: 'running', finished_at: null, polls: 1 }],
  });
  await mock.clock.set({ advance: '1h' }, 'a');
  await poll();
  const done = { ...task, status: 'done', finished_at: expect.any(Number), polls: 2 };
  expect(await list()).toMatchObject({ tasks: [done] });
  const reader = (await send('/__admin/stream')).body!.getReader();
  const text = new TextDecoder().decode((await reader.read()).value);
  await reader.cancel();
  expect(text.match(/^event: exchange$/gm)).toHaveLength(4);
  expect(text).toContain('"status":"done"');
  expect(await (await send('/__studio')).text()).toContain('"target":"proxy"');
  await proxy.close();
  await mock.close();
});
