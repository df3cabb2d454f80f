import { describe, expect, it } from 'vitest';
import { CALL, createRig, readNotes, settlePromises } from '../../test/support/network/rig.js';

describe('delay', () => {
  it('keeps a request from the service for so long', async () => {
    const rig = createRig([{ network: 'delay', time_ms: 200, side: 'request', of: { reply: true } }]);
    const task = rig.start(CALL);
    const sent = rig.reply(task, 'e1');
    await rig.advance(199);
    expect(task.calls?.get('e1')?.reply).toBeUndefined();
    expect(sent.response).toBeUndefined();
    expect(rig.network.waiting).toBe(1);
    await rig.advance(1);
    expect(task.calls?.get('e1')?.reply?.code).toBe(200);
    expect(sent.response?.status).toBe(200);
    expect(readNotes(sent)).toEqual(['delayed 200 ms']);
    expect(rig.network.waiting).toBe(0);
  });

  it('withholds a response from the client while the service has already moved on', async () => {
    const rig = createRig([{ network: 'delay', time_ms: 200, of: { reply: true } }]);
    const task = rig.start(CALL);
    const sent = rig.reply(task, 'e1');
    expect(task.calls?.get('e1')?.reply?.code).toBe(200);
    expect(sent.response).toBeUndefined();
    await rig.advance(200);
    expect(sent.response?.status).toBe(200);
    expect(readNotes(sent)).toEqual(['response delayed 200 ms']);
  });

  it('varies by a jitter from the seed', async () => {
    const notes = async (seed: string) => {
      const rig = createRig([{ network: 'delay', time_ms: 100, jitter_ms: 80, of: { poll: true } }], {
        seed,
      });
      const task = rig.start(CALL);
      const polls = [rig.poll(task), rig.poll(task), rig.poll(task)];
      await rig.advance(180);
      return polls.map((poll) => readNotes(poll)[0]);
    };
    const first = await notes('a');
    const times = first.map((note) => Number(/^response delayed (\d+) ms$/.exec(note!)?.[1]));
    for (const time of times) expect(Math.abs(time - 100)).toBeLessThanOrEqual(80);
    expect(new Set(first).size).toBeGreaterThan(1);
    expect(await notes('a')).toEqual(first);
    expect(await notes('b')).not.toEqual(first);
  });

  it('responds immediately if there is nothing to wait for', () => {
    const rig = createRig([{ network: 'delay', time_ms: 200, of: { reply: true } }]);
    expect(rig.poll(rig.start(CALL)).atOnce).toBe(true);
  });
});

describe('hold', () => {
  it('keeps a request until a gate is opened', async () => {
    const rig = createRig([{ network: 'hold', until: { gate: 'go' }, of: { reply: true } }]);
    const task = rig.start(CALL);
    const sent = rig.reply(task, 'e1');
    rig.organisation.openGate('other');
    await settlePromises();
    expect(sent.response).toBeUndefined();
    rig.organisation.openGate('go');
    await settlePromises();
    expect(sent.response?.status).toBe(200);
    expect(readNotes(sent)).toEqual(['held until gate go is open']);
    expect(rig.network.list()[1]).toMatchObject({ fired: 1, waiting: 0, gave_up: 0 });
  });

  it('holds a response until time has brought a step', async () => {
    const rig = createRig([
      { network: 'hold', until: { step: 'end' }, side: 'response', of: { reply: true } },
    ]);
    const task = rig.start([
      CALL[0]!,
      { service: 'finish', id: 'end', after: { time_ms: 500 }, at_once: true },
    ]);
    const sent = rig.reply(task, 'e1');
    await rig.advance(499);
    expect(sent.response).toBeUndefined();
    await rig.advance(1);
    expect(task.status).toBe('done');
    expect(sent.response?.status).toBe(200);
  });

  it('releases a request after the request that it waits for was handled', async () => {
    const rig = createRig([{ network: 'hold', until: { arrive: { poll: 2 } }, of: { reply: true } }]);
    const task = rig.start([
      ...CALL.slice(0, 1),
      { client: 'reply', to: 'c1' },
      { service: 'finish', at_once: true },
    ]);
    const held = rig.reply(task, 'e1');
    const other = rig.start(CALL);
    rig.poll(task);
    rig.poll(other);
    rig.poll(other);
    await settlePromises();
    expect(held.response).toBeUndefined();
    const second = rig.poll(task);
    expect(second.response?.status).toBe(202);
    await settlePromises();
    expect(held.response?.status).toBe(200);
    expect(task.status).toBe('done');
  });

  it('releases the request after `at_most_ms`, and notes it', async () => {
    const rig = createRig([{ network: 'hold', until: { gate: 'go' }, of: { poll: true } }]);
    const sent = rig.poll(rig.start(CALL));
    await rig.advance(9_999);
    expect(sent.response).toBeUndefined();
    await rig.advance(1);
    expect(sent.response?.status).toBe(202);
    expect(readNotes(sent)).toEqual([
      'held until gate go is open',
      'released after 10000 ms, before gate go is open',
    ]);
    expect(rig.network.list()[1]).toMatchObject({ fired: 1, gave_up: 1 });
  });

  it('does not hold for a condition that is already met, and does not count as fired', () => {
    const rig = createRig([
      { network: 'hold', until: { gate: 'go' }, of: { poll: true } },
      { network: 'hold', until: { arrive: { poll: 1 } }, of: { poll: 2 } },
    ]);
    rig.organisation.openGate('go');
    const task = rig.start(CALL);
    expect(rig.poll(task).atOnce).toBe(true);
    expect(rig.poll(task).atOnce).toBe(true);
    expect(rig.network.list().slice(1)).toMatchObject([
      { fired: 0, passed: 2 },
      { fired: 0, passed: 1 },
    ]);
  });
});

describe('reorder', () => {
  it('sends the response after the response to the next such request', async () => {
    const rig = createRig([{ network: 'reorder', of: { poll: 1 } }]);
    const task = rig.start(CALL);
    const left: string[] = [];
    const first = rig.poll(task);
    expect(task.polls).toBe(1);
    rig.reply(task, 'e1');
    await settlePromises();
    expect(first.response).toBeUndefined();
    const second = rig.poll(task);
    if (second.atOnce) left.push('second');
    await settlePromises();
    if (first.response) left.push('first');
    expect(left).toEqual(['second', 'first']);
    expect(readNotes(first)).toEqual(['response held until the next one has left']);
  });

  it('without end swaps them two by two', async () => {
    const rig = createRig([{ network: 'reorder', of: { poll: true } }]);
    const task = rig.start(CALL);
    const atOnce: boolean[] = [];
    for (let i = 0; i < 4; i++) {
      atOnce.push(rig.poll(task).atOnce);
      await settlePromises();
    }
    expect(atOnce).toEqual([false, true, false, true]);
    expect(rig.network.waiting).toBe(0);
    expect(rig.network.list()[1]).toMatchObject({ fired: 2, passed: 2 });
  });

  it('waits for a request of the same task, and not forever', async () => {
    const rig = createRig([{ network: 'reorder', of: { poll: true }, at_most_ms: 700 }]);
    const task = rig.start(CALL);
    const other = rig.start(CALL);
    const sent = rig.poll(task);
    rig.poll(other);
    await rig.advance(699);
    expect(sent.response).toBeUndefined();
    await rig.advance(1);
    expect(sent.response?.status).toBe(202);
    expect(readNotes(sent).at(-1)).toBe('response released after 700 ms: no next request got a response');
  });
});
