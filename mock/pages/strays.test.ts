import { expect, it } from 'vitest';
import { startMock, wire } from '../../test/support/mock/mock.js';
import { Pages } from './pages.js';

const EVIL = '<script>alert(1)</script>';

async function start() {
  const mock = await startMock();
  const pages = new Pages(mock.service);
  const open = async (path: string, headers: Record<string, string> = {}, loopback = true) =>
    String((await pages.handle({ ...wire('GET', path, undefined, headers), loopback }))!.body);
  const data = async (path: string) => JSON.parse(await open(path, { accept: 'application/json' }));
  return { ...mock, open, data };
}

it('the start page tells this machine what was asked for and is not there, the last ten, newest first', async () => {
  const { send, open, data } = await start();
  await send('POST', `/tsak/${EVIL}?apikey=hush`, { task: 'x' });
  const page = await open('/');
  expect(page).toContain('Requests to unknown addresses');
  expect(page).toContain('&lt;script&gt;');
  expect(page).not.toContain(EVIL);
  expect(page).not.toContain('hush');
  expect(await open('/', {}, false)).not.toContain('tsak');
  for (let n = 1; n <= 12; n++) await send('PUT', `/usage?n=${n}`);
  const [{ name, tasks, strays }] = (await data('/')).organisations;
  expect([name, tasks]).toEqual(['org-1', []]);
  expect(strays).toHaveLength(10);
  expect(strays[0]).toEqual({
    at: expect.any(Number),
    method: 'PUT',
    url: '/api/v1/usage?n=12',
    status: 405,
  });
});

it('the recording of a task tells those that name it, and no others', async () => {
  const { create, send, data, open } = await start();
  const id = await create({ task: 'x' });
  await send('POST', `/task/${id}/evnt?token=hush`, { name: 'tool_call' });
  await send('POST', '/task/another/evnt', { name: 'tool_call' });
  await send('POST', `/task/${id}/evnt`, { name: 'tool_call' }, 'another key');
  const { conversation } = await data(`/recordings/${id}`);
  expect(conversation.map(({ by, what }: { by: string; what: string }) => `${by} ${what}`)).toEqual([
    'client posts a task',
    `client sends a request to an unknown address (404): POST /api/v1/task/${id}/evnt?token=<redacted>`,
  ]);
  expect(await open(`/recordings/${id}`)).toContain('sends a request to an unknown address');
});
