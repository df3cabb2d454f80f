import { describe, expect, it } from 'vitest';
import type { NetworkRule, Step } from '../../scenarios/format/types.js';
import { createRig, readEvents, readNotes, settlePromises } from '../../test/support/network/rig.js';
import type { RequestContext } from '../pipeline/context.js';

const HELD: NetworkRule = { network: 'hold', until: { gate: 'go' }, of: { poll: true } };
const WITH_ANSWER: NetworkRule = { ...HELD, side: 'response' };

describe('a pending request', () => {
  for (const [side, rule] of [
    ['request', HELD],
    ['response', WITH_ANSWER],
  ] as const) {
    it(`is released when the client has disconnected (${side})`, async () => {
      const rig = createRig([rule]);
      const gone = new AbortController();
      const sent = rig.poll(rig.start(), 0, gone.signal);
      await settlePromises();
      expect(rig.network.waiting).toBe(1);
      gone.abort();
      await settlePromises();
      expect(rig.network.waiting).toBe(0);
      expect(readNotes(sent).at(-1)).toBe('released: the client disconnected');
    });

    it(`is released when the network is reset (${side})`, async () => {
      const rig = createRig([rule]);
      const sent = rig.poll(rig.start());
      rig.network.reset();
      rig.organisation.schedule.clear();
      await settlePromises();
      expect(sent.response?.status).toBe(202);
      expect(rig.network.waiting).toBe(0);
    });

    it(`is released when its rule is removed or replaced (${side})`, async () => {
      const rig = createRig([rule]);
      const task = rig.start();
      const first = rig.poll(task);
      rig.network.clear('rule-2');
      await settlePromises();
      expect(first.response?.status).toBe(202);
      rig.network.set([rule]);
      const second = rig.poll(task);
      rig.network.set([]);
      await settlePromises();
      expect(second.response?.status).toBe(202);
      expect(readNotes(second).at(-1)).toBe('released: the rule was removed');
    });
  }

  it('does not wait for a client that disconnected before', async () => {
    const rig = createRig([HELD]);
    const sent = rig.poll(rig.start(), 0, AbortSignal.abort());
    await settlePromises();
    expect(sent.response?.status).toBe(202);
  });

  it('leaves no wake-up behind for the clock to jump to', async () => {
    const rig = createRig([HELD]);
    const task = rig.start();
    const before = rig.organisation.schedule.size;
    rig.poll(task);
    rig.organisation.openGate('go');
    await settlePromises();
    expect(rig.organisation.schedule.size).toBe(before);
  });

  it('is reported to the owner of the clock', () => {
    let reports = 0;
    const rig = createRig([HELD], { onWaiting: () => reports++ });
    const task = rig.start();
    expect(reports).toBe(0);
    rig.poll(task);
    expect(reports).toBe(1);
  });

  it('resumes in arrival order', async () => {
    const rig = createRig([{ ...HELD, of: { operation: 'setTaskVisibility' } }]);
    const task = rig.start();
    const set = (to: boolean) => rig.send('POST', `/task/${task.id}/visibility?visibility=${to}`);
    set(true);
    set(false);
    rig.organisation.openGate('go');
    await settlePromises();
    expect(task.visible).toBe(false);
  });

  it('resumes after the step of the timeline that opened its gate', async () => {
    const rig = createRig([{ ...HELD, of: { poll: true } }]);
    const timeline: Step[] = [
      { service: 'open', gate: 'go', after: { time_ms: 100 } },
      { service: 'tool_call', tool: 'look', input: {} },
      { service: 'finish', after: { time_ms: 100 }, at_once: true },
    ];
    const task = rig.start(timeline);
    const sent = rig.poll(task);
    await rig.advance(100);
    expect(sent.response?.status).toBe(202);
    expect(readEvents(sent)).toHaveLength(1);
  });

  it('for a step of the task that the create has made, holds the response to the create', async () => {
    const rig = createRig([
      { network: 'hold', until: { step: 'later' }, side: 'response', of: { create: true } },
    ]);
    rig.queueTimeline([
      { service: 'tool_call', id: 'later', tool: 'look', input: {}, after: { time_ms: 70 } },
    ]);
    const sent = rig.send('POST', '/task', { task: 'Do it' });
    await rig.advance(69);
    expect(sent.response).toBeUndefined();
    await rig.advance(1);
    expect(sent.response?.status).toBe(200);
  });
});

describe('a slow service', () => {
  const upload = (rig: ReturnType<typeof createRig>) => rig.send('POST', '/file', undefined, undefined);

  it('is awaited, and the rules continue then', async () => {
    const rig = createRig([
      { network: 'duplicate', of: { operation: 'uploadFile' } },
      { network: 'delay', time_ms: 40, side: 'response', of: { operation: 'uploadFile' } },
    ]);
    const sent = upload(rig);
    await settlePromises();
    expect(sent.response).toBeUndefined();
    await rig.advance(40);
    expect(sent.response?.status).toBe(422);
    expect(readNotes(sent)).toEqual(['handled twice', 'the second time with 422', 'response delayed 40 ms']);
  });

  it('that fails passes its error on, at once or later, and blocks nothing', async () => {
    const rig = createRig([
      { network: 'delay', time_ms: 40, side: 'request', of: { poll: true }, times: 1 },
      { network: 'garble', of: { operation: 'getTask' }, times: 1 },
    ]);
    const task = rig.start();
    const call = (kind: string) =>
      ({
        request: { method: 'GET', url: `/api/v1/task/${task.id}`, headers: {}, body: null, loopback: true },
        operation: { id: 'getTask' },
        organisation: rig.organisation,
        exchange: { seq: 0, kind, task: task.id, organisation: '', request: {} },
      }) as unknown as RequestContext;
    const breaks = () => {
      throw new Error('broken');
    };
    expect(() => rig.network.deliver(call('other'), breaks)).toThrow('broken');
    const later = rig.network.deliver(call('poll'), breaks) as Promise<unknown>;
    const outcome = later.catch((error: Error) => error.message);
    await rig.advance(40);
    expect(await outcome).toBe('broken');
    expect(rig.network.waiting).toBe(0);
    // The rule applies to the first response that is sent.
    expect(rig.poll(task).response?.status).toBe(502);
    expect(rig.poll(task).response?.status).toBe(202);
  });
});
