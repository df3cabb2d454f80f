import { describe, expect, it } from 'vitest';
import { advanceClock, createOrganisation, startTimeline } from '../../../test/support/mock/organisation.js';
import { findLastCall, poll } from '../../../test/support/mock/task-actions.js';
import { receiveAction, receiveReply } from './client-events.js';
import { cancel, createTask } from './lifecycle.js';

describe('a timeline', () => {
  it('performs steps at once or after a delay, and ends as scripted', () => {
    const organisation = createOrganisation();
    const task = startTimeline(organisation, [
      { service: 'status', status: 'waiting' },
      { service: 'status', status: 'running', after: { time_ms: 300 } },
      { service: 'finish', output: 'over', credits_used: 7, after: { time_ms: 200 } },
    ]);
    expect(task.status).toBe('waiting');
    advanceClock(organisation, 299);
    expect(task.status).toBe('waiting');
    advanceClock(organisation, 1);
    expect(task.status).toBe('running');
    advanceClock(organisation, 200);
    expect(task).toMatchObject({ status: 'done', output: 'over', credits_used: 7 });
    expect(organisation.account.credits).toBe(93);
  });

  it('uses the task id of the scenario if it is free', () => {
    const organisation = createOrganisation();
    const scenario = { name: 'named', title: 'T', covers: [], match: {}, request: {}, timeline: [] };
    const ids = [1, 2].map(() => createTask(organisation, {}, { ...scenario, task_id: 'Task_Ab' }).id);
    expect(ids[0]).toBe('Task_Ab');
    expect(ids[1]).toMatch(/^[\da-f-]{36}$/);
  });

  it('performs late steps at their own times if the clock jumps far', () => {
    const organisation = createOrganisation();
    const start = organisation.now;
    const task = startTimeline(organisation, [
      { service: 'tool_call', id: 'a', tool: 't', input: {}, after: { time_ms: 100 } },
      { service: 'tool_call', id: 'b', tool: 't', input: {}, after: { time_ms: 50 } },
    ]);
    advanceClock(organisation, 10_000);
    expect(task.log.list().map((event) => event.timestamp - start)).toEqual([100, 150]);
  });

  it('waits for polls', () => {
    const organisation = createOrganisation();
    const task = startTimeline(organisation, [{ service: 'finish', after: { polls: 2 } }]);
    poll(task);
    expect(task.status).toBe('running');
    poll(task);
    expect(task.status).toBe('done');
  });

  it('waits for a gate of the task or of the whole organisation', () => {
    const organisation = createOrganisation();
    const one = startTimeline(organisation, [{ service: 'finish', after: { gate: 'go' } }]);
    const two = startTimeline(organisation, [{ service: 'finish', after: { gate: 'go' } }]);
    organisation.openGate('go', one);
    expect([one.status, two.status]).toEqual(['done', 'running']);
    organisation.openGate('go');
    expect(two.status).toBe('done');
  });

  it('waits for the reply, and passes it to the agent', () => {
    const organisation = createOrganisation();
    const task = startTimeline(organisation, [
      { service: 'tool_call', id: 'first', tool: 'weather', input: { city: '' } },
      { client: 'reply', to: 'first', code: 400 },
      { service: 'tool_call', id: 'second', tool: 'weather', input: { city: 'Rome' } },
      { client: 'reply', to: 'second', code: 200 },
      { service: 'finish', output: 'It is {{second.output.temp_c}} °C' },
    ]);
    expect(poll(task)).toEqual([{ name: 'weather', input: { city: '' } }]);
    const first = findLastCall(task);
    expect(receiveReply(task, first, 400, 'empty')).toBe('accepted');
    expect(receiveReply(task, first, 200, 'again')).toBe('repeated');
    expect(receiveReply(task, 'no-such-call', 200, null)).toBe('unknown');
    expect(poll(task)).toEqual([{ name: 'weather', input: { city: 'Rome' } }]);
    receiveReply(task, findLastCall(task), 200, { temp_c: 21 });
    expect(task).toMatchObject({ status: 'done', output: 'It is 21 °C' });
  });

  it('continues with a reply that the scenario does not expect, and notes it', () => {
    const organisation = createOrganisation();
    const task = startTimeline(organisation, [
      { service: 'tool_call', id: 'c', tool: 't', input: {} },
      { client: 'reply', to: 'c', code: 200 },
      { service: 'finish' },
    ]);
    poll(task);
    receiveReply(task, findLastCall(task), 500, 'broken');
    expect(task.status).toBe('done');
    expect(organisation.notes).toEqual([expect.stringContaining('expects a reply with code 200')]);
  });

  it('accepts replies in any order', () => {
    const organisation = createOrganisation();
    const task = startTimeline(organisation, [
      { service: 'tool_call', id: 'a', tool: 't', input: { n: 1 } },
      { service: 'tool_call', id: 'b', tool: 't', input: { n: 2 } },
      { client: 'reply', to: 'a' },
      { client: 'reply', to: 'b' },
      { service: 'finish' },
    ]);
    poll(task);
    const [a, b] = [...task.calls!.keys()] as [string, string];
    receiveReply(task, b, 200, null);
    expect(task.status).toBe('running');
    receiveReply(task, a, 200, null);
    expect(task.status).toBe('done');
  });

  it('skips steps whose condition does not hold', () => {
    const codes = [200, 400] as const;
    const calls = codes.map((code) => {
      const organisation = createOrganisation();
      const task = startTimeline(organisation, [
        { service: 'tool_call', id: 'a', tool: 't', input: { n: 1 } },
        { client: 'reply', to: 'a' },
        {
          service: 'tool_call',
          id: 'again',
          tool: 't',
          input: { n: 2 },
          if: { reply: 'a', code: [400, 500] },
        },
        { client: 'reply', to: 'again', if: { reply: 'a', code: [400, 500] } },
        { service: 'finish' },
      ]);
      poll(task);
      receiveReply(task, findLastCall(task), code, null);
      return task.calls!.size;
    });
    expect(calls).toEqual([1, 2]);
  });

  it('lets a meanwhile step wait in parallel', () => {
    const organisation = createOrganisation();
    const task = startTimeline(organisation, [
      { service: 'finish', status: 'failed', after: { time_ms: 5000 }, meanwhile: true },
      { service: 'tool_call', id: 'a', tool: 't', input: { n: 1 } },
      { client: 'reply', to: 'a' },
      { service: 'finish', status: 'done' },
    ]);
    poll(task);
    advanceClock(organisation, 4999);
    expect(task.status).toBe('running');
    advanceClock(organisation, 1);
    expect(task.status).toBe('failed');
  });

  it('never leaves a terminal state', () => {
    const organisation = createOrganisation();
    const task = startTimeline(organisation, [{ service: 'finish', output: 'x', after: { time_ms: 10 } }]);
    cancel(task);
    advanceClock(organisation, 100);
    expect(task).toMatchObject({ status: 'cancelled', output: null });
    expect(organisation.activeTasks).toBe(0);
  });
});

describe('determinism', () => {
  it('gives the same conversation for the same seed and the same requests at the same times', () => {
    const conversation = () => {
      const organisation = createOrganisation();
      const task = createTask(organisation, { task: null, custom_tools: [{ name: 't', inputs: {} }] });
      receiveAction(task, 'e1', 'session_action', { name: 'run_task', input: { task: 'x' } });
      for (let i = 0; i < 20; i++) {
        advanceClock(organisation, 100);
        poll(task);
        for (const [id, call] of task.calls ?? []) if (!call.reply) receiveReply(task, id, 200, i);
      }
      return JSON.stringify([task.id, task.log.list(), task.status]);
    };
    expect(conversation()).toBe(conversation());
  });
});
