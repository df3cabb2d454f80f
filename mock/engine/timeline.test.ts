import { describe, expect, it } from 'vitest';
import { createWorld, pass, startTimeline } from '../test-support/world.js';
import { act, polled, reply } from './acts.js';
import { cancel, createTask } from './lifecycle.js';
import type { Task } from './task.js';
import { viewTask } from './view.js';
import type { World } from './world.js';

/** What a client sees: the events after the last it saw, as `name:id`-less payloads, and the status. */
function poll(world: World, task: Task) {
  const events = task.log.after(task.shown);
  polled(world, task, events.at(-1)?.timestamp ?? 0);
  return events.map((event) => event.payload);
}

const lastCall = (task: Task) => [...(task.calls?.keys() ?? [])].at(-1)!;

describe('a timeline', () => {
  it('performs steps at once, after a time, and then ends with what the script says', () => {
    const world = createWorld();
    const task = startTimeline(world, [
      { service: 'status', status: 'waiting' },
      { service: 'status', status: 'running', after: { time_ms: 300 } },
      { service: 'finish', output: 'over', credits_used: 7, after: { time_ms: 200 } },
    ]);
    expect(task.status).toBe('waiting');
    pass(world, 299);
    expect(task.status).toBe('waiting');
    pass(world, 1);
    expect(task.status).toBe('running');
    pass(world, 200);
    expect(task).toMatchObject({ status: 'done', output: 'over', credits_used: 7 });
    expect(world.spent).toBe(7);
  });

  it('makes late steps happen at their own times when the clock jumps far', () => {
    const world = createWorld();
    const start = world.now;
    const task = startTimeline(world, [
      { service: 'tool_call', id: 'a', tool: 't', input: {}, after: { time_ms: 100 } },
      { service: 'tool_call', id: 'b', tool: 't', input: {}, after: { time_ms: 50 } },
    ]);
    pass(world, 10_000);
    expect(task.log.all().map((event) => event.timestamp - start)).toEqual([100, 150]);
  });

  it('waits for polls', () => {
    const world = createWorld();
    const task = startTimeline(world, [{ service: 'finish', after: { polls: 2 } }]);
    poll(world, task);
    expect(task.status).toBe('running');
    poll(world, task);
    expect(task.status).toBe('done');
  });

  it('waits for a gate of the task or of the whole organisation', () => {
    const world = createWorld();
    const one = startTimeline(world, [{ service: 'finish', after: { gate: 'go' } }]);
    const two = startTimeline(world, [{ service: 'finish', after: { gate: 'go' } }]);
    world.openGate('go', one);
    expect([one.status, two.status]).toEqual(['done', 'running']);
    world.openGate('go');
    expect(two.status).toBe('done');
  });

  it('waits for the reply, and tells the agent what it was', () => {
    const world = createWorld();
    const task = startTimeline(world, [
      { service: 'tool_call', id: 'first', tool: 'weather', input: { city: '' } },
      { client: 'reply', to: 'first', code: 400 },
      { service: 'tool_call', id: 'second', tool: 'weather', input: { city: 'Rome' } },
      { client: 'reply', to: 'second', code: 200 },
      { service: 'finish', output: 'It is {{second.output.temp_c}} °C' },
    ]);
    expect(poll(world, task)).toEqual([{ name: 'weather', input: { city: '' } }]);
    const first = lastCall(task);
    expect(reply(world, task, first, 400, 'empty')).toBe('taken');
    expect(reply(world, task, first, 200, 'again')).toBe('repeated');
    expect(reply(world, task, 'no-such-call', 200, null)).toBe('unknown');
    expect(poll(world, task)).toEqual([{ name: 'weather', input: { city: 'Rome' } }]);
    reply(world, task, lastCall(task), 200, { temp_c: 21 });
    expect(task).toMatchObject({ status: 'done', output: 'It is 21 °C' });
  });

  it('goes on when the reply is not the one the script expects, and says so', () => {
    const world = createWorld();
    const task = startTimeline(world, [
      { service: 'tool_call', id: 'c', tool: 't', input: {} },
      { client: 'reply', to: 'c', code: 200 },
      { service: 'finish' },
    ]);
    poll(world, task);
    reply(world, task, lastCall(task), 500, 'broken');
    expect(task.status).toBe('done');
    expect(world.notes).toEqual([expect.stringContaining('expects a reply with code 200')]);
  });

  it('takes replies in any order', () => {
    const world = createWorld();
    const task = startTimeline(world, [
      { service: 'tool_call', id: 'a', tool: 't', input: 1 },
      { service: 'tool_call', id: 'b', tool: 't', input: 2 },
      { client: 'reply', to: 'a' },
      { client: 'reply', to: 'b' },
      { service: 'finish' },
    ]);
    poll(world, task);
    const [a, b] = [...task.calls!.keys()] as [string, string];
    reply(world, task, b, 200, null);
    expect(task.status).toBe('running');
    reply(world, task, a, 200, null);
    expect(task.status).toBe('done');
  });

  it('leaves out steps whose condition does not hold', () => {
    const codes = [200, 400] as const;
    const calls = codes.map((code) => {
      const world = createWorld();
      const task = startTimeline(world, [
        { service: 'tool_call', id: 'a', tool: 't', input: 1 },
        { client: 'reply', to: 'a' },
        { service: 'tool_call', id: 'again', tool: 't', input: 2, if: { reply: 'a', code: [400, 500] } },
        { client: 'reply', to: 'again', if: { reply: 'a', code: [400, 500] } },
        { service: 'finish' },
      ]);
      poll(world, task);
      reply(world, task, lastCall(task), code, null);
      return task.calls!.size;
    });
    expect(calls).toEqual([1, 2]);
  });

  it('lets a meanwhile step wait beside the others', () => {
    const world = createWorld();
    const task = startTimeline(world, [
      { service: 'finish', status: 'failed', after: { time_ms: 5000 }, meanwhile: true },
      { service: 'tool_call', id: 'a', tool: 't', input: 1 },
      { client: 'reply', to: 'a' },
      { service: 'finish', status: 'done' },
    ]);
    poll(world, task);
    pass(world, 4999);
    expect(task.status).toBe('running');
    pass(world, 1);
    expect(task.status).toBe('failed');
  });

  it('never leaves a terminal state', () => {
    const world = createWorld();
    const task = startTimeline(world, [{ service: 'finish', output: 'x', after: { time_ms: 10 } }]);
    cancel(world, task);
    pass(world, 100);
    expect(task).toMatchObject({ status: 'cancelled', output: null });
    expect(world.activeTasks).toBe(0);
  });
});

describe('the end of a task', () => {
  it('shows a result on a 202 before the status turns terminal', () => {
    const world = createWorld();
    const task = startTimeline(world, [
      { service: 'event', name: 'browser_action', payload: { code: 200 } },
      { service: 'finish' },
    ]);
    pass(world, 1000);
    expect(task.status).toBe('running');
    expect(poll(world, task)).toEqual([{ code: 200 }]);
    expect(task.status).toBe('done');
  });

  it('does not wait for ever for a client that never polls', () => {
    const world = createWorld();
    const task = startTimeline(world, [
      { service: 'event', name: 'browser_action', payload: { code: 200 } },
      { service: 'finish' },
    ]);
    pass(world, 30_000);
    expect(task.status).toBe('done');
  });

  it.each([
    ['at_once in the script', { at_once: true }, {}],
    ['the dialect', {}, { 'event.result-with-terminal': 'with' }],
  ])('comes together with the result by %s', (_, finish, dialect) => {
    const world = createWorld({ dialect });
    const task = startTimeline(world, [
      { service: 'event', name: 'browser_action', payload: { code: 200 } },
      { service: 'finish', ...finish },
    ]);
    expect(task.status).toBe('done');
  });

  it('brings the recording a little later', () => {
    const world = createWorld();
    const task = startTimeline(world, [{ service: 'finish' }]);
    expect(viewTask(world, task).recording_url).toBeNull();
    pass(world, 1500);
    expect(viewTask(world, task).recording_url).toBe(`http://mock.test/recordings/${task.id}`);
  });

  it('brings the recording when the script says, also after the end and after polls', () => {
    const world = createWorld();
    const task = startTimeline(world, [
      { service: 'finish' },
      { service: 'recording_url', value: 'auto', after: { time_ms: 5000 } },
      { service: 'downloads_url', value: '', after: { polls: 1 } },
    ]);
    pass(world, 4999);
    expect(viewTask(world, task).recording_url).toBeNull();
    pass(world, 1);
    expect(viewTask(world, task).recording_url).toBe(`http://mock.test/recordings/${task.id}`);
    expect(task.downloads_url).toBeNull();
    poll(world, task);
    expect([task.downloads_url, task.runs]).toEqual(['', []]);
  });

  it('has its recording at once where the end says auto', () => {
    const world = createWorld();
    const task = startTimeline(world, [{ service: 'finish', recording_url: 'auto' }]);
    expect(viewTask(world, task).recording_url).toBe(`http://mock.test/recordings/${task.id}`);
  });

  it('keeps only so many finished tasks, oldest first', () => {
    const world = createWorld();
    world.setup.limits = { ...world.setup.limits, finished_tasks: 5 };
    const ids = Array.from({ length: 20 }, () => startTimeline(world, [{ service: 'finish' }]).id);
    expect([...world.tasks.keys()]).toEqual(ids.slice(-5));
  });
});

describe('an improvising agent', () => {
  it('calls each tool, once more after a refusal, and then finishes', () => {
    const world = createWorld();
    const tool = (name: string) => ({ name, description: 'd', inputs: {}, output: 'o' });
    const task = createTask(world, { task: 'Go', custom_tools: [tool('one'), tool('two')] });
    const codes = [400, 200, 200] as const;
    for (const code of codes) {
      pass(world, 1000);
      poll(world, task);
      reply(world, task, lastCall(task), code, null);
    }
    pass(world, 1000);
    poll(world, task);
    expect([...task.calls!.values()].map((call) => call.tool)).toEqual(['one', 'one', 'two']);
    expect(viewTask(world, task)).toMatchObject({ status: 'done', output: 'Done: Go' });
  });

  it('performs the actions of a session one after the other and closes it', () => {
    const world = createWorld();
    const task = createTask(world, { task: null });
    act(world, task, 'e1', 'browser_action', { name: 'goto', input: { url: 'https://example.com' } });
    act(world, task, 'e2', 'browser_action', { name: 'extract', input: { schema: {} } });
    pass(world, 2000);
    expect(task.log.all().map((event) => [event.id, event.name, event.payload.code])).toEqual([
      ['e1', 'browser_action', 200],
      ['e2', 'browser_action', 200],
    ]);
    expect(task.log.all()[1]!.payload.output).toMatchObject({ output: { made: 'up' }, credits_used: 0 });
    act(world, task, 'e3', 'session_action', { name: 'close' });
    pass(world, 2000);
    poll(world, task);
    expect(task.status).toBe('done');
  });

  it.each([
    [
      'an unknown name',
      'browser_action',
      { name: 'navigate', input: { url: 'x' } },
      'Unknown action "navigate"',
    ],
    [
      'the wrong event',
      'session_action',
      { name: 'goto', input: { url: 'x' } },
      'must be sent as browser_action',
    ],
    ['no input', 'browser_action', { name: 'goto' }, 'needs an object "input"'],
    ['a wrong input', 'browser_action', { name: 'goto', input: { url: 7 } }, 'input.url (string); got 7'],
  ] as const)('answers an action with %s with 400', (_, event, payload, message) => {
    const world = createWorld();
    const task = createTask(world, { task: null });
    act(world, task, 'e1', event, payload);
    pass(world, 1000);
    expect(task.log.all()[0]?.payload).toMatchObject({ code: 400, output: expect.stringContaining(message) });
  });

  it('answers what is under way with 500 when the session is closed or cancelled', () => {
    for (const end of ['close', 'cancel'] as const) {
      const world = createWorld();
      const task = createTask(world, { task: null });
      act(world, task, 'slow', 'session_action', { name: 'run_task', input: { task: 'Read' } });
      if (end === 'close') act(world, task, 'c', 'session_action', { name: 'close' });
      else cancel(world, task);
      pass(world, 1000);
      const slow = task.log.find('slow');
      expect(slow?.payload.code).toBe(500);
      expect(task.log.all().filter((event) => event.id === 'slow').length).toBe(1);
    }
  });

  it('ends an idle session after the idle time-out, counted from the last thing the client did', () => {
    const world = createWorld({ dialect: { 'session.idle-timeout': 10_000 } });
    const task = createTask(world, { task: null });
    pass(world, 9000);
    polled(world, task, 0);
    pass(world, 9000);
    expect(task.status).toBe('running');
    pass(world, 1000);
    expect(task.status).toBe('cancelled');
  });
});

describe('determinism', () => {
  it('gives the same conversation for the same seed and the same acts at the same times', () => {
    const conversation = () => {
      const world = createWorld();
      const task = createTask(world, { task: null, custom_tools: [{ name: 't', inputs: {} }] });
      act(world, task, 'e1', 'session_action', { name: 'run_task', input: { task: 'x' } });
      for (let i = 0; i < 20; i++) {
        pass(world, 100);
        poll(world, task);
        for (const [id, call] of task.calls ?? []) if (!call.reply) reply(world, task, id, 200, i);
      }
      return JSON.stringify([task.id, task.log.all(), task.status]);
    };
    expect(conversation()).toBe(conversation());
  });
});
