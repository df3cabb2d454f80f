import { expect, it } from 'vitest';
import { createScenario, startMock, WEATHER } from '../../test/support/mock/mock.js';
import { MANUAL_START_MS } from '../engine/clock.js';

const DAY_MS = 86_400_000;

it('lists what is due, each with its time and task, and the first time-out that would end a task', async () => {
  const call = { service: 'tool_call' as const, id: 'ask', tool: 'get_weather', input: {} };
  const mock = await startMock({
    scenarios: [createScenario('slow', [{ ...call, after: { time_ms: 300 } }])],
    dialect: { 'task.total-timeout': DAY_MS },
  });
  const due = () => mock.control.clock.due('a')[0]!;
  const id = await mock.create({ task: 'slow', custom_tools: [WEATHER] });
  const timeout = { at: MANUAL_START_MS + DAY_MS, what: 'time-out', task: id, ends: 'failed' };
  expect(due()).toEqual({
    organisation: 'org-1',
    now: MANUAL_START_MS,
    due: [{ at: MANUAL_START_MS + 300, what: 'service tool_call get_weather (ask)', task: id }, timeout],
    more: 0,
    timeouts: [timeout],
  });
  await mock.control.clock.set({ to: 'next' }, 'a');
  expect(due()).toMatchObject({ due: [timeout], timeouts: [timeout] });
  await mock.control.network.set('delay 2s of poll', 'a');
  const polling = mock.poll(id);
  expect(due().due[0]).toEqual({ at: MANUAL_START_MS + 2300, what: 'a request that waits goes on' });
  await mock.control.clock.set({ to: 'next' }, 'a');
  expect((await polling).status).toBe(202);
  await mock.control.clock.set({ to: 'next' }, 'a');
  expect(mock.control.task(id).status).toBe('failed');
  expect(due()).toMatchObject({ timeouts: [] });
  // What was planned for it is void.
  const other = await mock.create({ task: 'other', enable_recording: false });
  expect(due().due).not.toEqual([]);
  await mock.send('DELETE', `/task/${other}`);
  expect(due().due).toEqual([]);
});

it('lists the time-outs of all tasks, also of those that have earlier work', async () => {
  const step = { service: 'tool_call' as const, id: 'ask', tool: 'get_weather', input: {} };
  const mock = await startMock({
    scenarios: [createScenario('slow', [{ ...step, after: { time_ms: 300 } }])],
    dialect: { 'task.total-timeout': DAY_MS },
  });
  const ids: string[] = [];
  for (let n = 0; n < 3; n++) ids.push(await mock.create({ task: 'slow', custom_tools: [WEATHER] }));
  const [view] = mock.control.clock.due('a');
  expect(view!.timeouts.map(({ task }) => task)).toEqual(ids);
  await mock.control.clock.set({ advance: DAY_MS }, 'a');
  expect(ids.map((id) => mock.control.task(id).status)).toEqual(['failed', 'failed', 'failed']);
});

it('names the start of a queued task; lists at most 20 and counts the rest', async () => {
  const { control, create } = await startMock({
    dialect: { 'task.first-status': 'waiting', 'task.total-timeout': 0 },
  });
  for (let n = 0; n < 25; n++) await create({ task: `Task ${n}` });
  const [view] = control.clock.due();
  expect(view!.due).toHaveLength(20);
  expect(view!.due[0]!.what).toBe('leaves the queue');
  expect(view!.more).toBe(5);
  expect(control.clock.due('never used')).toEqual([]);
});
