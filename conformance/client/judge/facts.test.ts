import { describe, expect, it } from 'vitest';
import type { Scenario } from '../../../scenarios/format/types.js';
import { oneCall, scenario, WEATHER } from '../../../test/support/client/scenarios.js';
import { Stage } from '../run/mock-session.js';

const KEY = 'facts';
const stage = await Stage.open({ clock: 'manual', origin: 'http://127.0.0.1:1' });

async function send(method: string, path: string, body?: object, key = KEY) {
  const headers = { ...(key && { apikey: key }), 'content-type': 'application/json' };
  const response = await stage.mock.fetch(`http://mock/api/v1${path}`, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  });
  return ((await response.json()) as { r: { id: string; events: { id: string }[] } }).r;
}

const event = (id: string, payload: object, name = 'tool_call') => ({ id, name, payload, timestamp: 1 });

async function begin(played: Scenario): Promise<string> {
  stage.begin(played, KEY);
  return (await send('POST', '/task', played.request)).id;
}

const pass = (ms: number) => stage.mock.clock.advance(ms, KEY);

describe('the facts of a run', () => {
  it('say of a call by which step it came, where the client got it and what it replied', async () => {
    const id = await begin(oneCall);
    await send('GET', `/task/${id}?event_t=0`);
    await pass(300);
    const [call] = (await send('GET', `/task/${id}?event_t=0`)).events;
    await send('POST', `/task/${id}/event`, event(call!.id, { code: 200, output: { temp_c: 3 } }));
    await pass(300);
    await send('GET', `/task/${id}`);
    await send('GET', `/task/${id}`);
    const { tasks, exchanges } = stage.end();
    expect(exchanges.map(({ seq, kind, organisation }) => `${seq} ${kind} ${organisation}`)).toEqual([
      '1 create client',
      '2 poll client',
      '3 poll client',
      '4 reply client',
      '5 poll client',
      '6 poll client',
    ]);
    const reply = { code: 200, output: { temp_c: 3 } };
    expect(tasks).toEqual([
      {
        id,
        status: 'done',
        output: 'It is cold.',
        seen_status: 'done',
        actions: [],
        calls: [
          {
            id: call!.id,
            step: 'c1',
            tool: 'get_weather',
            input: { city: 'Oslo' },
            delivered: 3,
            too_late: false,
            reply,
          },
        ],
      },
    ]);
  });

  it('count an answer that was lost, cut off or garbled as one that brought nothing', async () => {
    const rules = ['drop', 'truncate', 'garble'].map((network, index) => ({
      network,
      of: { poll: index + 1 },
      ...(network === 'drop' && { side: 'response' }),
    }));
    const id = await begin({ ...oneCall, timeline: [...(rules as never[]), ...oneCall.timeline] });
    await pass(300);
    for (let poll = 0; poll < 3; poll++) await send('GET', `/task/${id}?event_t=0`).catch(() => {});
    expect(stage.end().tasks[0]).toMatchObject({ seen_status: 'running', calls: [{ delivered: undefined }] });
  });

  it('say that a call came too late: with the end, or after the client had stopped the task', async () => {
    const call = { service: 'tool_call', id: 'c1', tool: 'get_weather', input: {} };
    const request = { task: 'x', custom_tools: [WEATHER] };
    const withEnd = await begin(scenario([call, { service: 'finish', at_once: true }], { request }));
    await send('GET', `/task/${withEnd}?event_t=0`);
    expect(stage.end().tasks[0]!.calls[0]).toMatchObject({ delivered: 2, too_late: true, reply: undefined });

    const stopped = await begin(scenario([call], { request }));
    await pass(10);
    await send('DELETE', `/task/${stopped}`);
    await pass(10);
    await send('GET', `/task/${stopped}?event_t=0`);
    expect(stage.end().tasks[0]!.calls[0]).toMatchObject({ delivered: 3, too_late: true });

    const before = await begin(scenario([call], { request }));
    await send('GET', `/task/${before}?event_t=0`);
    await pass(10);
    await send('DELETE', `/task/${before}`);
    expect(stage.end().tasks[0]!.calls[0]).toMatchObject({ delivered: 2, too_late: false });
  });

  it('say of an action what its result said, once it has been delivered', async () => {
    const session = scenario(
      [
        { client: 'action', id: 'open', name: 'goto' },
        { service: 'result', to: 'open', code: 500, output: 'no answer', after: { time_ms: 100 } },
      ],
      { request: { task: null } },
    );
    const id = await begin(session);
    const goto = { name: 'goto', input: { url: 'https://example.com' } };
    await send('POST', `/task/${id}/event`, event('mine', goto, 'browser_action'));
    await send('GET', `/task/${id}?event_t=0`);
    await pass(100);
    await send('GET', `/task/${id}?event_t=0`);
    const result = { code: 500, output: 'no answer' };
    expect(stage.end().tasks[0]!.actions).toEqual([
      { id: 'mine', step: 'open', name: 'goto', delivered: 4, result },
    ]);
  });

  it('know every task, and what was done under another key or none, in the order in which it came', async () => {
    await begin(oneCall);
    await send('POST', '/task', oneCall.request, 'somebody-else');
    await send('POST', '/task', oneCall.request, '');
    await send('POST', '/task', oneCall.request);
    const { tasks, exchanges, trace } = stage.end();
    expect(tasks.length).toBe(2);
    expect(
      exchanges.map(({ seq, organisation, response }) => `${seq} ${organisation} ${response?.status}`),
    ).toEqual(['1 client 200', '2 another key 401', '3 no key 401', '4 client 200']);
    expect(trace.flatMap((entry) => (entry.what === 'arrive' ? [entry.seq] : []))).toEqual([1, 2, 3, 4]);
  });

  it('hold a request that is under way when it is over', async () => {
    const held = { network: 'hold', of: { poll: 1 }, until: { gate: 'never' } };
    const id = await begin({ ...oneCall, timeline: [held as never, ...oneCall.timeline] });
    const poll = send('GET', `/task/${id}`).catch(() => {});
    await pass(1);
    const { exchanges, rules } = stage.end();
    expect(exchanges.map(({ seq, response }) => `${seq} ${response?.status}`)).toEqual([
      '1 200',
      '2 undefined',
    ]);
    expect(rules).toMatchObject([{ fired: 1, waiting: 1 }]);
    stage.begin(oneCall, KEY);
    await poll;
    // What was let go belongs to nobody.
    expect(stage.end().exchanges).toEqual([]);
  });

  it('sets what concerns the create before it comes', async () => {
    const drop = { network: 'drop', of: { create: true }, side: 'request' };
    stage.begin({ ...oneCall, timeline: [drop as never, ...oneCall.timeline] }, KEY);
    await expect(send('POST', '/task', oneCall.request)).rejects.toThrow(/fetch failed/);
    await send('POST', '/task', oneCall.request);
    const { tasks, rules } = stage.end();
    expect(tasks.length).toBe(1);
    expect(rules[0]).toMatchObject({ fired: 1, state: 'spent' });
  });
});
