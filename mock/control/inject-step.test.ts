import { describe, expect, it } from 'vitest';
import { REQUEST, TOOL_SCENARIO } from '../../test/support/admin/tool-scenario.js';
import { startMock } from '../../test/support/mock/mock.js';
import { MANUAL_START_MS } from '../engine/clock.js';

describe('an injected step', () => {
  it('happens at once, parallel to the timeline', async () => {
    const mock = await startMock({ scenarios: [TOOL_SCENARIO] });
    const id = await mock.create(REQUEST);
    await mock.control.injectStep(id, {
      service: 'tool_call',
      id: 'extra',
      tool: 'get_weather',
      input: { city: 'Rome' },
    });
    await mock.control.injectStep(id, {
      service: 'event',
      name: 'tool_call',
      payload: { odd: true },
      after: '100ms',
    });
    await mock.control.clock.set({ advance: 300 }, 'a');
    const times = mock.control
      .task(id)
      .events.map(({ timestamp, payload }) => [timestamp - MANUAL_START_MS, payload]);
    expect(times).toEqual([
      [0, { name: 'get_weather', input: { city: 'Rome' } }],
      [100, { odd: true }],
      [300, { name: 'get_weather', input: { city: 'Oslo' } }],
    ]);
    expect(mock.control.task(id).runs[0]!.next!.step).toBe('client reply first');
    await mock.control.injectStep(id, {
      service: 'finish',
      status: 'failed',
      output: 'pulled the plug',
      at_once: true,
    });
    expect((await mock.poll(id)).r).toMatchObject({ status: 'failed', output: 'pulled the plug' });
  });

  it('responds to an action of a session', async () => {
    const mock = await startMock();
    const id = await mock.create({ task: null });
    await mock.sendEvent(id, {
      name: 'browser_action',
      id: 'e1',
      payload: { name: 'goto', input: { url: 'https://a.example' } },
    });
    await mock.control.injectStep(id, { service: 'result', to: 'e1', code: 500, output: 'crashed' });
    expect(mock.control.task(id).events).toMatchObject([
      { id: 'e1', payload: { code: 500, output: 'crashed' } },
    ]);
  });

  it('adds a result with or without duration and credits', async () => {
    const mock = await startMock();
    const id = await mock.create({ task: null });
    for (const [event, step] of [
      ['e1', { output: 0, duration: 1 }],
      ['e2', { output: 0, bare: true }],
    ] as const) {
      const payload = { name: 'evaluate_js', input: { js: 'return 0' } };
      await mock.sendEvent(id, { name: 'browser_action', id: event, payload });
      await mock.control.injectStep(id, { service: 'result', to: event, ...step });
    }
    expect(mock.control.task(id).events.map(({ payload }) => payload)).toEqual([
      { code: 200, output: { output: 0, credits_used: 0, duration: 1 } },
      { code: 200, output: 0 },
    ]);
  });

  it('waits until the last event could be read before it ends a task, as any finish', async () => {
    const mock = await startMock({ scenarios: [TOOL_SCENARIO] });
    const id = await mock.create(REQUEST);
    await mock.control.clock.set({ advance: 300 }, 'a');
    const view = await mock.control.injectStep(id, { service: 'finish' });
    expect(view.status).toBe('running');
    expect(view.runs[0]!.meanwhile).toMatchObject([{ step: 'service finish' }]);
    expect(view.runs[0]!.meanwhile[0]!.waitsFor[0]).toContain('on a 202');
    expect((await mock.poll(id)).status).toBe(202);
    await mock.control.clock.set({ advance: 2000 }, 'a');
    expect((await mock.poll(id)).status).toBe(200);
  });

  it.each([
    [{ service: 'finsh' }, /finish/],
    [{ client: 'reply', to: 'first' }, /service/],
    [{ service: 'tool_call', tool: 'nope' }, /tool: expected one of the task's custom_tools, got "nope"/],
    [{ service: 'tool_call', tool: 'get_weather', input: 'Oslo' }, /input: expected a mapping.*found "Oslo"/],
    [{ service: 'result', to: 'nope' }, /to: expected the id of an action/],
    [{ service: 'finish', status: 'completed' }, /status: expected one of/],
    [{ service: 'finish', if: { reply: 'first', code: 200 } }, /no condition/],
    ['finish', /expected a service step/],
  ])('%j is refused', async (step, message) => {
    const mock = await startMock({ scenarios: [TOOL_SCENARIO] });
    const id = await mock.create(REQUEST);
    await expect(mock.control.injectStep(id, step)).rejects.toThrow(message);
    expect(mock.control.task(id).runs[0]).toMatchObject({ steps: 3, done: 0, meanwhile: [] });
  });

  it('is refused by a completed task, and by an unknown one', async () => {
    const mock = await startMock();
    const id = await mock.create({ task: 'x' });
    await mock.send('DELETE', `/task/${id}`);
    await expect(mock.control.injectStep(id, { service: 'finish' })).rejects.toThrow(
      /is cancelled: it accepts no more steps/,
    );
    await expect(mock.control.injectStep('nope', { service: 'finish' })).rejects.toThrow(
      /There is no task "nope"/,
    );
  });
});
