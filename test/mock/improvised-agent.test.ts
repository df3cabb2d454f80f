import { describe, expect, it } from 'vitest';
import { startMock, WEATHER } from '../support/mock/mock.js';

const TOOL = { ...WEATHER, name: 'get_weather' };
const PAGE = { type: 'object', properties: { title: { type: 'string' }, price: { type: 'number' } } };

async function start() {
  const mock = await startMock();
  const pass = (ms: number) => mock.control.clock.set({ advance: ms }, 'a');
  /** Replies to every call with the next of the replies, until the task makes no more. */
  const serve = async (id: string, replies: readonly [number, unknown][]) => {
    let last = 0;
    for (const [code, output] of replies) {
      await pass(1000);
      const [call] = (await mock.poll(id, last)).r.events;
      last = call.timestamp;
      await mock.sendEvent(id, { id: call.id, name: 'tool_call', payload: { code, output } });
    }
    await pass(1000);
    return (await mock.poll(id, last)).r;
  };
  /** The payload of the result of an action; `serves` runs between the two. */
  const act = async (session: string, id: string, name: string, input?: object) => {
    const kind = name === 'run_task' || name === 'close' ? 'session_action' : 'browser_action';
    await mock.sendEvent(session, { id, name: kind, payload: { name, input } });
    await pass(1000);
    return (await mock.poll(session)).r.events.find((event: { id: string }) => event.id === id)?.payload;
  };
  return { ...mock, pass, serve, act };
}

describe('an improvised task with tools', () => {
  it('quotes the outputs of its tools', async () => {
    const { create, serve } = await start();
    const task = await serve(await create({ task: 'Weather', custom_tools: [TOOL] }), [
      [200, { temp_c: 21 }],
    ]);
    expect(task.status).toBe('done');
    expect(task.output).toContain('The tool get_weather returned {"temp_c":21}.');
  });

  it.each([
    [
      'the output itself where it fits',
      { type: 'object', required: ['temp_c'] },
      { temp_c: 21 },
      { temp_c: 21 },
    ],
    [
      'its fields by name, within a larger form',
      {
        type: 'object',
        properties: { temp_c: { type: 'number' }, city: { const: 'Oslo' } },
        required: ['temp_c', 'city'],
        additionalProperties: false,
      },
      { temp_c: 21, wind: 3 },
      { temp_c: 21, city: 'Oslo' },
    ],
    [
      'it under the name of the tool',
      {
        type: 'object',
        properties: { get_weather: { type: 'string' }, a: { const: 1 } },
        required: ['get_weather', 'a'],
      },
      'sunny',
      { get_weather: 'sunny', a: 1 },
    ],
    [
      'it in the first property that takes it',
      {
        type: 'object',
        properties: { text: { const: 'x' }, degrees: { type: 'number' } },
        required: ['text', 'degrees'],
      },
      21,
      { text: 'x', degrees: 21 },
    ],
    ['a list of outputs', { type: 'array', items: { type: 'number' }, minItems: 1 }, 21, [21]],
  ])('gives in the form of the response model %s', async (_, response_model, output, expected) => {
    const { create, serve } = await start();
    const id = await create({ task: 'Weather', custom_tools: [TOOL], response_model });
    expect((await serve(id, [[200, output]])).output).toEqual(expected);
  });

  it('keeps to the response model where no output fits', async () => {
    const { create, serve } = await start();
    const response_model = { type: 'object', properties: { n: { const: 7 } }, required: ['n'] };
    const id = await create({ task: 'Weather', custom_tools: [TOOL], response_model });
    expect((await serve(id, [[200, 'sunny']])).output).toEqual({ n: 7 });
  });

  it('retries once after an error reply and uses the second one', async () => {
    const { create, serve } = await start();
    const id = await create({ task: 'Weather', custom_tools: [TOOL] });
    const task = await serve(id, [
      [400, 'no city'],
      [200, 21],
    ]);
    expect(task).toMatchObject({ status: 'done', output: expect.stringContaining('returned 21.') });
  });

  it('fails with the reason after a second error reply, and calls no further tool', async () => {
    const { create, serve, service } = await start();
    const id = await create({ task: 'Weather', custom_tools: [TOOL, { ...TOOL, name: 'other' }] });
    const task = await serve(id, [
      [400, 'no city'],
      [500, { why: 'down' }],
    ]);
    const output = 'The tool "get_weather" failed twice; its last reply has code 500: {"why":"down"}';
    expect(task).toMatchObject({ status: 'failed', output });
    expect(service.organisations.get('a')?.tasks.get(id)?.calls?.size).toBe(2);
  });
});

describe('an improvised session', () => {
  it('uses the outputs of the tools that a run_task called', async () => {
    const { create, act, serve } = await start();
    const id = await create({ task: null, custom_tools: [TOOL] });
    await act(id, 'run', 'run_task', { task: 'Weather' });
    const { status, events } = await serve(id, [[200, 21]]);
    expect(status).toBe('running');
    expect(events.at(-1).payload.output.output).toContain('returned 21.');
  });

  it('answers a run_task with 500 and the reason after two error replies, and goes on', async () => {
    const { create, act, serve } = await start();
    const id = await create({ task: null, custom_tools: [TOOL, { ...TOOL, name: 'other' }] });
    await act(id, 'run', 'run_task', { task: 'Weather' });
    const { status, events } = await serve(id, [
      [500, 'down'],
      [500, 'still down'],
    ]);
    const output = 'The tool "get_weather" failed twice; its last reply has code 500: still down';
    expect(events.map((event: { payload: object }) => event.payload)).toEqual([{ code: 500, output }]);
    expect(status).toBe('running');
    expect(await act(id, 'goto', 'goto', { url: 'https://example.com' })).toMatchObject({ code: 200 });
  });

  it('takes an empty task in a run_task, as POST /task does', async () => {
    const { create, act } = await start();
    expect(await act(await create({ task: null }), 'run', 'run_task', { task: '' })).toMatchObject({
      code: 200,
    });
  });

  it('extracts the same data from the same page with the same schema, and other data from another page', async () => {
    const { create, act } = await start();
    const id = await create({ task: null, url: 'https://a.example' });
    const extracted = async (event: string, session = id) =>
      (await act(session, event, 'extract', { schema: PAGE })).output.output;
    const first = await extracted('e1');
    expect(await extracted('e2')).toEqual(first);
    await act(id, 'g1', 'goto', { url: 'https://b.example' });
    const other = await extracted('e3');
    expect(other).not.toEqual(first);
    await act(id, 'g2', 'goto', { url: 'https://a.example' });
    expect(await extracted('e4')).toEqual(first);
    expect(await extracted('e1', await create({ task: null, url: 'https://b.example' }))).toEqual(other);
  });

  it('extracts the title of a page whatever else is asked for', async () => {
    const { create, act } = await start();
    const id = await create({ task: null, url: 'https://a.example' });
    const titles = [];
    for (const more of ['price', 'author']) {
      const schema = { type: 'object', required: ['title', more], properties: { title: { type: 'string' } } };
      titles.push((await act(id, more, 'extract', { schema })).output.output.title);
    }
    expect(titles[1]).toBe(titles[0]);
  });

  it.each([
    ['close', 'done'],
    ['delete', 'cancelled'],
  ])('costs the sum of what its results cost, ended by %s', async (end, status) => {
    const { create, act, poll, send, pass } = await start();
    const credits = async () => (await send('GET', '/usage')).r.credits;
    const before = await credits();
    const id = await create({ task: null });
    await act(id, 'g', 'goto', { url: 'https://example.com' });
    await act(id, 'r1', 'run_task', { task: 'One' });
    await act(id, 'r2', 'run_task', { task: 'Two' });
    if (end === 'close') await act(id, 'c', 'close');
    else await send('DELETE', `/task/${id}`);
    await pass(5000);
    const { r } = await poll(id);
    const costs = r.events.map(
      (event: { payload: { output: { credits_used: number } } }) => event.payload.output.credits_used,
    );
    expect(costs.reduce((sum: number, cost: number) => sum + cost, 0)).toBe(2);
    expect(r).toMatchObject({ status, credits_used: 2 });
    expect(before - (await credits())).toBe(2);
  });
});
