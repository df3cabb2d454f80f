import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { connectSteady, STEADY_MODEL, STEADY_TOOL, type SteadyAnswer } from './steady/drive.js';
import { faults, variations } from './steady.js';

test('a task calls its tool and ends with an output that fits the model', async () => {
  const { send, wait } = connectSteady();
  const task = { task: 'LookUp the price', custom_tools: [STEADY_TOOL], response_model: STEADY_MODEL };
  const { r } = (await send('POST /task', task)).body;
  expect(r).toMatchObject({ status: 'running', live_url: expect.any(String), id: expect.any(String) });
  wait(2_000);
  const polled = await send(`GET /task/${r.id}`);
  expect(polled.status).toBe(202);
  const [call] = polled.body.r.events;
  expect(call).toMatchObject({ name: 'tool_call', payload: { name: 'LookUp', input: {} } });
  const reply = { id: call.id, name: 'tool_call', payload: { code: 200, output: 7 }, timestamp: 1 };
  expect(await send(`POST /task/${r.id}/event`, reply)).toEqual({
    status: 200,
    body: { r: { id: call.id } },
  });
  wait(2_000);
  const ended = await send(`GET /task/${r.id}?event_t=${call.timestamp}`);
  expect(ended.status).toBe(200);
  expect(ended.body.r).toMatchObject({
    status: 'done',
    output: { price: 3, shop: { name: 'name' } },
    events: [],
  });
});

test('a session takes actions one after the other and closes', async () => {
  const { send, wait, act } = connectSteady();
  const { id } = (await send('POST /task', { task: null, url: 'https://a.example/', device: 'desktop' })).body
    .r;
  await act('1', id, 'goto', { url: 'https://b.example/x' });
  await act('2', id, 'evaluate_js', { js: 'return [document.title, 1 + 1, args.n]', args: { n: '007' } });
  await act('3', id, 'evaluate_js', { js: 'throw new Error("no")' });
  await act('4', id, 'close');
  expect((await act('5', id, 'goto', { url: 'https://a.example/' })).status).toBe(400);
  wait(3_000);
  const { status, body } = await send(`GET /task/${id}`);
  expect([status, body.r.status]).toEqual([200, 'done']);
  expect(
    body.r.events.map(({ id, payload }: SteadyAnswer['body']) => [id, payload.code, payload.output]),
  ).toEqual([
    ['1', 200, null],
    ['2', 200, ['b.example', 2, '007']],
    ['3', 500, 'no'],
    ['4', 200, null],
  ]);
});

test('refuses unknown tasks, keys and bodies', async () => {
  const { send } = connectSteady();
  expect((await send('GET /task/none')).status).toBe(404);
  expect((await send('GET /task', undefined, { apikey: 'bad-key' })).status).toBe(401);
  expect((await send('GET /task', undefined, { apikey: '' })).status).toBe(401);
  expect((await send('GET /task?l=129')).status).toBe(422);
  expect((await send('POST /task', { task: 7 })).status).toBe(422);
  expect((await send('POST /task', { task: 'x' }, { apikey: 'exhausted-key' })).status).toBe(429);
});

test('the source asks for each name once or more', () => {
  const folder = new URL('./steady/', import.meta.url);
  const source = readdirSync(folder).map((file) => readFileSync(new URL(file, folder), 'utf8'));
  source.push(readFileSync(new URL('./steady.ts', import.meta.url), 'utf8'));
  const text = source.join('\n');
  const asked = (kind: string) => (name: string) => !text.includes(`${kind}('${name}')`);
  expect(Object.keys(faults).filter(asked('fault'))).toEqual([]);
  expect(Object.keys(variations).filter(asked('varies'))).toEqual([]);
});
