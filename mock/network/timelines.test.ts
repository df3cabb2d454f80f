import { describe, expect, it } from 'vitest';
import type { Step } from '../../scenarios/format/types.js';
import { createRig, readEvents, settlePromises } from '../../test/support/network/rig.js';

const CALL: Step = { service: 'tool_call', id: 'c1', tool: 'look', input: {} };
const LATER: Step = { service: 'finish', after: { time_ms: 3_600_000 } };

describe('a rule in a timeline', () => {
  it('fires once, on the reply to the call that its step made', () => {
    const rig = createRig();
    const task = rig.start([
      { ...CALL, id: 'c0' },
      { network: 'fail', status: 429, of: { reply: 'c1' } },
      CALL,
      LATER,
    ]);
    const [other, call] = task.log.list();
    expect(rig.reply(task, other!.id).response?.status).toBe(200);
    expect(rig.reply(task, call!.id).response?.status).toBe(429);
    expect(rig.reply(task, call!.id).response?.status).toBe(200);
    expect(rig.network.list().find((rule) => rule.task === task.id)).toMatchObject({
      id: `${task.id}/step-2`,
      state: 'spent',
      fired: 1,
    });
  });

  it('applies to no other task', () => {
    const rig = createRig();
    const task = rig.start([{ network: 'drop', of: { poll: true } }, LATER]);
    const other = rig.start([LATER]);
    expect(rig.poll(other).response?.fault).toBeUndefined();
    expect(rig.poll(task).response?.fault).toEqual({ kind: 'drop' });
  });

  it('finds an action by its step, also when another of that name is under way', async () => {
    const rig = createRig([{ network: 'delay', time_ms: 50, side: 'request', of: { action: 'first' } }]);
    const task = rig.start([
      { network: 'fail', status: 503, of: { action: 'second' } },
      { client: 'action', id: 'first', name: 'goto' },
      { client: 'action', id: 'second', name: 'goto' },
      { service: 'result', to: 'second' },
      LATER,
    ]);
    // A timeline with actions needs a session, even if the request does not start one.
    (task as { session: boolean }).session = true;
    const first = rig.sendAction(task, 'a', 'goto');
    expect(first.response).toBeUndefined();
    expect(rig.sendAction(task, 'b', 'goto').response?.status).toBe(503);
    await rig.advance(50);
    expect(first.response?.status).toBe(200);
    expect(rig.sendAction(task, 'b', 'goto').response?.status).toBe(200);
    expect(task.runs[0]?.ids).toMatchObject({ first: 'a', second: 'b' });
  });

  it('loses the response to the create of its own timeline, and to no later one', () => {
    const rig = createRig();
    const timeline: Step[] = [{ network: 'drop', of: { create: 1 }, side: 'response' }, LATER];
    rig.start(timeline);
    rig.start(timeline);
    expect(rig.organisation.tasks.size).toBe(2);
    const [first, second] = rig.organisation.journal.read();
    expect(first).toMatchObject({
      kind: 'create',
      network: [{ verb: 'drop', effect: 'lost', note: 'response dropped' }],
    });
    expect(first?.response).toBeUndefined();
    expect(second?.network).toBeUndefined();
    expect(second?.response?.status).toBe(200);
  });

  it('counts its expiry from the step', async () => {
    const rig = createRig();
    const task = rig.start([
      {
        network: 'fail',
        status: 500,
        of: { poll: true },
        after: { time_ms: 1000 },
        expires_ms: 500,
        times: 9,
      },
      LATER,
    ]);
    await rig.advance(1400);
    expect(rig.poll(task).response?.status).toBe(500);
    await rig.advance(100);
    expect(rig.poll(task).response?.status).toBe(202);
    expect(rig.network.list().find((rule) => rule.task === task.id)?.state).toBe('expired');
  });

  it('stays in the list when it is spent, and affects nothing more', () => {
    const rig = createRig();
    rig.network.set([]);
    const task = rig.start([LATER]);
    rig.network.addTimelineRule(
      { network: 'drop', of: { poll: true } },
      { task, run: task.runs[0]!, at: rig.organisation.now },
    );
    rig.poll(task);
    expect(rig.poll(task).response?.status).toBe(202);
    expect(rig.network.list()).toMatchObject([
      { id: `${task.id}/injected-1`, state: 'spent', fired: 1, passed: 0 },
    ]);
  });

  it('still knows its steps when the task has ended', async () => {
    const rig = createRig([{ network: 'fail', status: 503, of: { reply: 'c1' }, times: 1 }]);
    const task = rig.start([CALL, { service: 'finish', after: { time_ms: 100 }, at_once: true }]);
    rig.poll(task);
    await rig.advance(100);
    expect(task.status).toBe('done');
    expect(rig.reply(task, task.log.list()[0]!.id).response?.status).toBe(503);
  });

  it('is removed with the tasks at a reset, where a standing rule stays', () => {
    const rig = createRig([{ network: 'drop', of: { cancel: true } }]);
    rig.start([{ network: 'drop', of: { poll: true } }, LATER]);
    rig.network.reset();
    expect(rig.network.list().map((rule) => rule.id)).toEqual(['rule-1', 'rule-2']);
  });
});

describe('same-instant', () => {
  const second: Step = { service: 'tool_call', id: 'c2', tool: 'look', input: {}, event_id: 'e2' };
  const third: Step = { service: 'tool_call', id: 'c3', tool: 'look', input: {}, event_id: 'e3' };

  it('makes the event of a step share the previous timestamp', () => {
    const rig = createRig();
    const task = rig.start([{ network: 'same-instant', of: { step: 'c3' } }, CALL, second, third, LATER]);
    const [a, b, c] = task.log.list().map((event) => event.timestamp);
    expect(b).toBe(a! + 1);
    expect(c).toBe(b);
  });

  it('means the next event where no step is named, and only that one', () => {
    const rig = createRig();
    const task = rig.start([CALL, { network: 'same-instant' }, second, third, LATER]);
    const [a, b, c] = task.log.list().map((event) => event.timestamp);
    expect(b).toBe(a);
    expect(c).toBe(b! + 1);
  });

  it('hides the second event from a poll between the two', async () => {
    const rig = createRig();
    const task = rig.start([
      CALL,
      { network: 'same-instant', of: { step: 'c2' } },
      { ...second, after: { polls: 1 } },
      LATER,
    ]);
    const [seen] = readEvents(rig.poll(task));
    await settlePromises();
    expect(task.log.length).toBe(2);
    expect(readEvents(rig.poll(task, seen!.timestamp))).toEqual([]);
    expect(readEvents(rig.poll(task, seen!.timestamp - 1))).toHaveLength(2);
  });
});
