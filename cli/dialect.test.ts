import { afterEach, expect, it } from 'vitest';
import { endAll, startMock } from '../test/support/cli/command.js';

afterEach(endAll);

const LATE = { name: 'browser_action', payload: { name: 'goto', input: { url: 'https://example.com' } } };

it('mock --dialect strict lets nothing pass that a client could do better', async () => {
  const mock = await startMock('--dialect', 'strict', '--clock', 'manual');
  const send = async (key: string, ...[method, path, body]: Parameters<typeof mock.call>) =>
    mock.call(method, path, body, { apikey: key });
  expect((await send('a', 'POST', '/task', { task: 'x', colour: 'blue' })).status).toBe(422);
  const { id } = (await send('a', 'POST', '/task', { task: null })).body.r;
  const event = async (key: string, more: object = {}) =>
    send(key, 'POST', `/task/${id}/event`, { ...LATE, ...more });
  expect((await event('a')).status).toBe(422);
  expect((await event('a', { id: 'one' })).status).toBe(200);
  expect((await event('a', { id: 'one' })).status).toBe(400);
  const reply = { name: 'tool_call', payload: { code: 200, output: null } };
  expect((await event('a', { ...reply, id: 'none' })).status).toBe(404);
  expect((await send('a', 'DELETE', `/task/${id}/data`)).status).toBe(400);
  expect((await send('a', 'DELETE', `/task/${id}`)).status).toBe(200);
  expect((await event('a', { id: 'two' })).status).toBe(400);
  expect((await send('a', 'DELETE', `/task/${id}`)).status).toBe(404);

  // Ten requests a second: the eleventh has to wait.
  const statuses = [];
  for (let n = 0; n < 11; n++) statuses.push((await send('b', 'GET', '/usage')).status);
  expect(statuses).toEqual([...Array(10).fill(200), 429]);
  const tools = Array.from({ length: 33 }, (_, n) => ({
    name: `t${n}`,
    description: '',
    inputs: {},
    output: '',
  }));
  expect((await send('c', 'POST', '/task', { task: 'x', custom_tools: tools })).status).toBe(422);
  expect((await send('c', 'POST', '/task', { task: 'x'.repeat(1024 * 1024) })).status).toBe(413);
});
