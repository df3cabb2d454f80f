import { describe, expect, it } from 'vitest';
import type { NetworkRule, Step } from '../../scenarios/format/types.js';
import { createScenario, startMock } from '../../test/support/mock/mock.js';
import {
  createRig,
  type Rig,
  readEvents,
  readNotes,
  settlePromises,
} from '../../test/support/network/rig.js';
import { restoreSnapshot, takeSnapshot } from '../engine/snapshot/snapshot.js';

const call = (n: number): Step => ({
  service: 'tool_call',
  id: `c${n}`,
  tool: 'look',
  input: { n },
  event_id: `e${n}`,
});
const LATER: Step = { service: 'finish', after: { time_ms: 3_600_000 } };
const shown = (rig: Rig, task: Parameters<Rig['poll']>[0], event_t = 0) =>
  readEvents(rig.poll(task, event_t)).map(({ id }) => id);
/** Rules of timelines, the newest last. */
const rules = (rig: Rig) => rig.network.list().filter((rule) => rule.task !== undefined);

type Until = Extract<NetworkRule, { network: 'hold' }>['until'];
const hold = (step: string, until: Until, more: Partial<Step> = {}): Step =>
  ({ network: 'hold', of: { step }, until, id: 'd1', ...more }) as Step;

describe('a step that is held', () => {
  it('happens after the request that it waits for', () => {
    const rig = createRig();
    const task = rig.start([hold('c2', { arrive: { poll: 2 } }), call(1), call(2), LATER]);
    expect(shown(rig, task)).toEqual(['e1']);
    expect(rules(rig)).toMatchObject([{ step: 'd1', fired: 1, waiting: 1 }]);
    // The poll that releases it does not contain it yet.
    expect(shown(rig, task)).toEqual(['e1']);
    expect(shown(rig, task)).toEqual(['e1', 'e2']);
    expect(rules(rig)).toMatchObject([{ fired: 1, waiting: 0, gave_up: 0, state: 'spent' }]);
  });

  it('waits until a response has left', async () => {
    const rig = createRig([{ network: 'delay', time_ms: 100, of: { poll: 1 } }]);
    const task = rig.start([hold('c1', { response: { poll: 1 } }), call(1), LATER]);
    const poll = rig.poll(task);
    await rig.advance(99);
    expect(task.log.length).toBe(0);
    await rig.advance(1);
    expect(poll.response?.status).toBe(202);
    expect(task.log.length).toBe(1);
  });

  it('waits for a parallel step, and for a gate', () => {
    const rig = createRig();
    const task = rig.start([
      hold('c1', { step: 'c2' }),
      hold('c3', { gate: 'go' }),
      { ...call(2), meanwhile: true, after: { polls: 1 } },
      call(1),
      call(3),
      LATER,
    ]);
    expect(shown(rig, task)).toEqual([]);
    expect(shown(rig, task)).toEqual(['e2', 'e1']);
    rig.organisation.openGate('go');
    expect(shown(rig, task)).toEqual(['e2', 'e1', 'e3']);
  });

  it('is released after the longest time, and counts that', async () => {
    const rig = createRig();
    const task = rig.start([hold('c1', { arrive: { reply: true } }, { at_most_ms: 50 }), call(1), LATER]);
    await rig.advance(49);
    expect(task.log.length).toBe(0);
    await rig.advance(1);
    expect(task.log.length).toBe(1);
    expect(rules(rig)).toMatchObject([{ fired: 1, gave_up: 1, waiting: 0 }]);
  });

  it('is not held for a condition that is already met', () => {
    const rig = createRig();
    const task = rig.start([
      hold('c1', { arrive: { poll: 1 } }),
      hold('c2', { response: { poll: 1 } }),
      { client: 'poll', times: 2 },
      call(1),
      call(2),
      LATER,
    ]);
    rig.poll(task);
    rig.poll(task);
    expect(shown(rig, task)).toEqual(['e1', 'e2']);
    expect(rules(rig).map(({ fired }) => fired)).toEqual([0, 0]);
  });

  it('is shown with what it waits for', async () => {
    const mock = await startMock({
      scenarios: [
        createScenario('t', [hold('end', { arrive: { poll: 2 } }), { service: 'finish', id: 'end' }]),
      ],
    });
    const id = await mock.create({ task: 't' });
    expect(JSON.stringify(mock.control.task(id))).toContain('poll 2 arrives (held by a network rule)');
  });

  it('may be the end', () => {
    const rig = createRig();
    const task = rig.start([hold('end', { arrive: { poll: 2 } }), { service: 'finish', id: 'end' }]);
    expect(rig.poll(task).response?.status).toBe(202);
    expect(rig.poll(task).response?.status).toBe(202);
    expect(rig.poll(task).response?.status).toBe(200);
  });

  it('continues when its rule is removed', () => {
    const rig = createRig();
    const task = rig.start([hold('c1', { gate: 'never' }), call(1), LATER]);
    rig.network.clear(`${task.id}/d1`);
    expect(task.log.length).toBe(1);
  });

  it('is of its own timeline: a step of that name elsewhere is not held', () => {
    const rig = createRig();
    rig.start([hold('c1', { gate: 'never' }), call(1), LATER]);
    expect(rig.start([call(1), LATER]).log.length).toBe(1);
  });

  it('is still held after a snapshot was restored, for the same condition or the remaining time', async () => {
    const timeline = [hold('c1', { arrive: { poll: 2 } }, { at_most_ms: 1000 }), call(1), LATER];
    const request = { custom_tools: [{ name: 'look', description: 'd', inputs: {}, output: 'o' }] };
    const restored = async () => {
      const scenarios = [createScenario('t', timeline, request)];
      const [before, mock] = [await startMock({ scenarios }), await startMock({ scenarios })];
      const id = await before.create({ task: 't', ...request });
      await before.poll(id);
      await before.control.clock.set({ advance: 400 });
      restoreSnapshot(
        mock.service.organisations.open('a'),
        takeSnapshot(before.service.organisations.open('a')),
      );
      return { mock, id };
    };
    const first = await restored();
    const organisation = first.mock.service.organisations.get('a')!;
    organisation.openGate('unasked');
    expect(organisation.tasks.get(first.id)!.log.length).toBe(0);
    await first.mock.poll(first.id);
    expect((await first.mock.poll(first.id)).r.events).toHaveLength(1);
    const second = await restored();
    await second.mock.control.clock.set({ advance: 599 });
    const task = second.mock.service.organisations.get('a')!.tasks.get(second.id)!;
    expect(task.log.length).toBe(0);
    await second.mock.control.clock.set({ advance: 1 });
    expect(task.log.length).toBe(1);
  });

  it('is not what an eager or a skipping clock jumps to', async () => {
    const timeline: Step[] = [
      hold('gate', { arrive: { poll: 3 } }),
      { service: 'open', gate: 'g', id: 'gate', after: { time_ms: 300 } },
      LATER,
    ];
    for (const clock of ['skipping', 'eager'] as const) {
      const mock = await startMock({ clock, wall: () => 5, scenarios: [createScenario('t', timeline)] });
      const id = await mock.create({ task: 't' });
      for (let n = 0; n < 3; n++) await mock.poll(id);
      const list = mock.control.network.list().flatMap(({ rules: each }) => each);
      expect(list, clock).toMatchObject([{ fired: 1, gave_up: 0, waiting: 0 }]);
    }
  });
});

describe('at-once', () => {
  it('ends the task although its last event has not been seen', () => {
    const end: Step = { service: 'finish', id: 'end' };
    const rig = createRig();
    const usual = rig.start([call(1), end]);
    expect(rig.poll(usual).response?.status).toBe(202);
    const task = rig.start([{ network: 'at-once', of: { step: 'end' } }, call(1), end]);
    const poll = rig.poll(task);
    expect(poll.response?.status).toBe(200);
    expect(readEvents(poll)).toHaveLength(1);
    expect(rules(rig)).toMatchObject([{ fired: 1 }]);
  });

  it('does not fire without an unread event', () => {
    const rig = createRig();
    const end: Step = { service: 'finish', id: 'end' };
    expect(rig.start([{ network: 'at-once', of: { step: 'end' } }, end]).status).toBe('done');
    expect(rules(rig)).toMatchObject([{ fired: 0 }]);
  });
});

describe('reissue', () => {
  it('repeats a call with a later timestamp, once it has its reply', () => {
    const rig = createRig();
    const task = rig.start([{ network: 'reissue', of: { step: 'c1' } }, call(1), LATER]);
    const [first] = readEvents(rig.poll(task));
    expect(readEvents(rig.poll(task, first!.timestamp))).toEqual([]);
    rig.reply(task, 'e1');
    const [second, ...more] = readEvents(rig.poll(task, first!.timestamp));
    expect(second).toEqual({ ...first, timestamp: expect.any(Number) });
    expect(second!.timestamp).toBeGreaterThan(first!.timestamp);
    expect(more).toEqual([]);
    rig.reply(task, 'e1');
    expect(task.log.length).toBe(2);
    expect(rules(rig)).toMatchObject([{ fired: 1, state: 'spent' }]);
  });

  it('repeats it before a completion that follows the reply', async () => {
    const rig = createRig();
    const task = rig.start([
      { network: 'reissue', of: { step: 'c1' } },
      call(1),
      { client: 'reply', to: 'c1' },
      { service: 'finish' },
    ]);
    rig.poll(task);
    rig.reply(task, 'e1');
    const poll = rig.poll(task);
    expect(poll.response?.status).toBe(202);
    expect(readEvents(poll)).toHaveLength(2);
    await rig.advance(2000);
    expect(rig.poll(task).response?.status).toBe(200);
  });

  it('repeats a result once it has been delivered', () => {
    const rig = createRig();
    const task = rig.start([
      { network: 'reissue', of: { step: 'r' } },
      { client: 'action', id: 'open', name: 'goto' },
      { service: 'result', to: 'open', id: 'r' },
      LATER,
    ]);
    (task as { session: boolean }).session = true;
    rig.sendAction(task, 'a1', 'goto');
    expect(task.log.length).toBe(1);
    const [first] = readEvents(rig.poll(task));
    expect(readEvents(rig.poll(task, first!.timestamp))).toMatchObject([{ id: 'a1' }]);
    const [once, again] = task.log.list();
    expect(again!.payload).toEqual(once!.payload);
  });
});

describe('a raw tool_call event', () => {
  it('is a call that can be replied to, and waited for', () => {
    const rig = createRig();
    const task = rig.start([
      {
        service: 'event',
        id: 'odd',
        name: 'tool_call',
        payload: { name: 'nobody', input: {} },
        event_id: 'x',
      },
      { client: 'reply', to: 'odd' },
      { service: 'finish', output: '{{odd.output}}' },
    ]);
    rig.poll(task);
    expect(rig.reply(task, 'x').response?.status).toBe(200);
    expect(task).toMatchObject({ status: 'done', output: 'ok' });
    expect(task.calls?.get('x')).toMatchObject({ tool: 'nobody', step: 'odd' });
  });
});

describe('a request that is held until a response has left', () => {
  it('continues after that response', async () => {
    const rig = createRig([
      { network: 'delay', time_ms: 100, of: { poll: 1 } },
      { network: 'hold', of: { reply: true }, until: { response: { poll: 1 } } },
    ]);
    const task = rig.start([call(1), LATER]);
    rig.poll(task);
    const reply = rig.reply(task, 'e1');
    await rig.advance(99);
    expect(reply.response).toBeUndefined();
    await rig.advance(1);
    await settlePromises();
    expect(reply.response?.status).toBe(200);
    expect(readNotes(reply)).toEqual(['held until poll 1 has its response']);
    expect(rig.reply(task, 'e1').atOnce).toBe(true);
  });
});
