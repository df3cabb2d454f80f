import { describe, expect, it } from 'vitest';
import { createAdminCaller } from '../../test/support/admin/call-admin.js';
import { createScenario, startMock, WEATHER } from '../../test/support/mock/mock.js';

const SCENARIOS = [
  createScenario('g', [{ service: 'finish', after: { gate: 'go' } }]),
  createScenario(
    'c',
    [
      { service: 'tool_call', tool: WEATHER.name, input: { city: 'Rome' }, id: 'weather' },
      { service: 'finish', after: { reply: 'weather' } },
    ],
    { custom_tools: [WEATHER] },
  ),
];

async function start() {
  const mock = await startMock({ scenarios: SCENARIOS });
  const callAdmin = createAdminCaller(mock);
  return { ...mock, callAdmin, wait: (query: string) => callAdmin('GET', `/wait?${query}`) };
}

describe('GET /wait', () => {
  it('responds at once if the conditions hold', async () => {
    const { create, wait, callAdmin } = await start();
    const id = await create({ task: 'g' });
    expect(await wait(`key=a&task=${id}&status=running&gate=go&timeout=0`)).toMatchObject({
      status: 200,
      body: { task: { id, status: 'running', scenario: 'g' } },
    });
    await callAdmin('POST', '/gates?key=a', { name: 'go' });
    for (const status of ['done', 'finished'])
      expect((await wait(`key=a&status=${status}&timeout=0`)).body.task.id).toBe(id);
  });

  it('responds when a clock, a client, a gate or a reset makes them hold', async () => {
    const { create, wait, callAdmin, control } = await start();
    const done = wait('key=a&status=done');
    const created = wait('key=a&gate=go');
    const id = await create({ task: 'g' });
    expect((await created).body.task.id).toBe(id);
    await callAdmin('POST', '/gates?key=a', { name: 'go' });
    expect((await done).body.task.id).toBe(id);
    const later = wait('key=b&status=done');
    const other = await create({ task: 'improvised' }, 'b');
    await control.clock.set({ advance: '1h' }, 'b');
    expect((await later).body.task.id).toBe(other);
    const again = wait('status=running');
    control.reset();
    const third = await create({ task: 'g' }, 'c');
    expect((await again).body.task.id).toBe(third);
  });

  it('knows events by id, by name and by the step that sent them', async () => {
    const { create, wait, poll, callAdmin } = await start();
    const id = await create({ task: 'c', custom_tools: [WEATHER] });
    const [event] = (await poll(id)).r.events;
    for (const name of [event.id, 'tool_call', 'weather'])
      expect((await wait(`event=${name}&timeout=0`)).body.task?.id, name).toBe(id);
    await callAdmin('POST', `/tasks/${id}/steps`, { service: 'finish' });
    await callAdmin('POST', '/clock', { advance: '1m' });
    expect((await wait('status=done&event=weather&timeout=0')).body.task?.id).toBe(id);
  });

  it('responds when a request is held at a gate', async () => {
    const { create, wait, send, control, poll } = await start();
    await control.network.set([{ network: 'hold', until: { gate: 'net' }, of: 'getUsage' }], 'a');
    const held = send('GET', '/usage');
    expect((await wait('key=a&gate=net')).body).toEqual({ task: null });
    const id = await create({ task: 'g' });
    expect((await wait(`key=a&gate=net&task=${id}&timeout=0`)).body.task.id).toBe(id);
    control.openGate('net', { key: 'a' });
    await held;
    expect((await poll(id)).status).toBe(202);
    expect((await wait('key=a&gate=net&timeout=0')).status).toBe(409);
  });

  it('gives up after its timeout, and says what it waited for and what is the case', async () => {
    const { create, wait } = await start();
    expect((await wait('key=a&status=done&timeout=0')).body.detail).toBe(
      'Waited 0 s for the status done. Now there is no task.',
    );
    const id = await create({ task: 'g' });
    const { status, body } = await wait(`key=a&task=${id}&status=done&event=tool_call&timeout=20ms`);
    expect([status, body.detail]).toEqual([
      409,
      `Waited 0.02 s for the status done and the event "tool_call" of task ${id}. Now task ${id} is running, service finish waits for gate go to be opened. The clock is manual: only POST /__admin/clock moves it.`,
    ]);
  });

  it('does not wait for what cannot come any more', async () => {
    const { create, wait, control } = await start();
    const id = await create({ task: 'g' });
    control.openGate('go');
    expect((await wait(`task=${id}&status=failed&timeout=60s`)).body).toEqual({
      detail: `Task "${id}" is done: the status failed of task ${id} cannot come any more.`,
      is_final: true,
    });
    expect((await wait('task=nope&status=done&timeout=60s')).status).toBe(404);
  });

  it('ends when the client disconnects', async () => {
    const { callAdmin } = await start();
    const client = new AbortController();
    const waiting = callAdmin('GET', '/wait?key=a&status=done&timeout=60s', undefined, {
      signal: client.signal,
    });
    client.abort();
    expect((await waiting).status).toBe(409);
  });

  it('is for a bounded number of requests', async () => {
    const { wait, create } = await start();
    const waiting = Array.from({ length: 100 }, () => wait('key=a&status=running'));
    const refused = await wait('key=a&status=running');
    expect([refused.status, refused.body.detail]).toEqual([
      429,
      expect.stringContaining('100 requests wait'),
    ]);
    await create({ task: 'g' });
    for (const { status } of await Promise.all(waiting)) expect(status).toBe(200);
    expect((await wait('key=a&status=running')).status).toBe(200);
  });

  it.each([
    ['key=a', 'Nothing to wait for'],
    ['key=a&status=dnoe', 'expected one of waiting, running, done, failed, cancelled, finished'],
    ['status=done&timeout=soon', 'expected a duration up to 60s'],
    ['status=done&timeout=61s', 'expected a duration up to 60s'],
  ])('refuses %s', async (query, why) => {
    const { wait } = await start();
    const { status, body } = await wait(query);
    expect([status, body.detail]).toEqual([422, expect.stringContaining(why)]);
  });
});
