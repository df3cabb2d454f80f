import { describe, expect, it } from 'vitest';
import type { Step } from '../../scenarios/types.js';
import { bodyOf, createRig, rest } from './test-support/rig.js';

/** One call, then an hour of nothing. */
const CALL: Step[] = [
  { service: 'tool_call', id: 'c1', tool: 'look', input: {}, event_id: 'e1' },
  { service: 'finish', after: { time_ms: 3_600_000 } },
];

describe('delay', () => {
  it('keeps a request from the service for so long', async () => {
    const rig = createRig([{ network: 'delay', time_ms: 200, side: 'request', of: { reply: true } }]);
    const task = rig.start(CALL);
    const sent = rig.reply(task, 'e1');
    await rig.pass(199);
    expect(task.calls?.get('e1')?.reply).toBeUndefined();
    expect(sent.response).toBeUndefined();
    expect(rig.network.waiting).toBe(1);
    await rig.pass(1);
    expect(task.calls?.get('e1')?.reply?.code).toBe(200);
    expect(sent.response?.status).toBe(200);
    expect(sent.exchange.network).toEqual(['delayed 200 ms']);
    expect(rig.network.waiting).toBe(0);
  });

  it('keeps an answer from the client, while the service has moved on already', async () => {
    const rig = createRig([{ network: 'delay', time_ms: 200, of: { reply: true } }]);
    const task = rig.start(CALL);
    const sent = rig.reply(task, 'e1');
    expect(task.calls?.get('e1')?.reply?.code).toBe(200);
    expect(sent.response).toBeUndefined();
    await rig.pass(200);
    expect(sent.response?.status).toBe(200);
    expect(sent.exchange.network).toEqual(['answer delayed 200 ms']);
  });

  it('varies by a jitter from the seed', async () => {
    const notes = async (seed: string) => {
      const rig = createRig([{ network: 'delay', time_ms: 100, jitter_ms: 80, of: { poll: true } }], {
        seed,
      });
      const task = rig.start(CALL);
      const polls = [rig.poll(task), rig.poll(task), rig.poll(task)];
      await rig.pass(180);
      return polls.map((poll) => poll.exchange.network?.[0]);
    };
    const first = await notes('a');
    const times = first.map((note) => Number(/^answer delayed (\d+) ms$/.exec(note!)?.[1]));
    for (const time of times) expect(Math.abs(time - 100)).toBeLessThanOrEqual(80);
    expect(new Set(first).size).toBeGreaterThan(1);
    expect(await notes('a')).toEqual(first);
    expect(await notes('b')).not.toEqual(first);
  });

  it('answers at once where there is nothing to wait for', () => {
    const rig = createRig([{ network: 'delay', time_ms: 200, of: { reply: true } }]);
    expect(rig.poll(rig.start(CALL)).atOnce).toBe(true);
  });
});

describe('hold', () => {
  it('keeps a request until a gate is opened', async () => {
    const rig = createRig([{ network: 'hold', until: { gate: 'go' }, of: { reply: true } }]);
    const task = rig.start(CALL);
    const sent = rig.reply(task, 'e1');
    rig.world.openGate('other');
    await rest();
    expect(sent.response).toBeUndefined();
    rig.world.openGate('go');
    await rest();
    expect(sent.response?.status).toBe(200);
    expect(sent.exchange.network).toEqual(['held until gate go']);
    expect(rig.network.list()[1]).toMatchObject({ fired: 1, waiting: 0, gave_up: 0 });
  });

  it('keeps an answer until a step has happened by time alone', async () => {
    const rig = createRig([
      { network: 'hold', until: { step: 'end' }, side: 'response', of: { reply: true } },
    ]);
    const task = rig.start([
      CALL[0]!,
      { service: 'finish', id: 'end', after: { time_ms: 500 }, at_once: true },
    ]);
    const sent = rig.reply(task, 'e1');
    await rig.pass(499);
    expect(sent.response).toBeUndefined();
    await rig.pass(1);
    expect(task.status).toBe('done');
    expect(sent.response?.status).toBe(200);
  });

  it('lets a request go after the one that it waited for has been handled', async () => {
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
    await rest();
    expect(held.response).toBeUndefined();
    const second = rig.poll(task);
    expect(second.response?.status).toBe(202);
    await rest();
    expect(held.response?.status).toBe(200);
    expect(task.status).toBe('done');
  });

  it('lets go after the longest time, and says so', async () => {
    const rig = createRig([{ network: 'hold', until: { gate: 'go' }, of: { poll: true } }]);
    const sent = rig.poll(rig.start(CALL));
    await rig.pass(9_999);
    expect(sent.response).toBeUndefined();
    await rig.pass(1);
    expect(sent.response?.status).toBe(202);
    expect(sent.exchange.network).toEqual([
      'held until gate go',
      'let go after 10000 ms: gate go did not come',
    ]);
    expect(rig.network.list()[1]).toMatchObject({ fired: 1, gave_up: 1 });
  });

  it('holds nothing for what is there already, and does not count as fired', () => {
    const rig = createRig([
      { network: 'hold', until: { gate: 'go' }, of: { poll: true } },
      { network: 'hold', until: { arrive: { poll: 1 } }, of: { poll: 2 } },
    ]);
    rig.world.openGate('go');
    const task = rig.start(CALL);
    expect(rig.poll(task).atOnce).toBe(true);
    expect(rig.poll(task).atOnce).toBe(true);
    expect(rig.network.list().slice(1)).toMatchObject([
      { fired: 0, passed: 2 },
      { fired: 0, passed: 1 },
    ]);
  });
});

describe('drop', () => {
  it('of a request: the service never learns of it', () => {
    const rig = createRig([{ network: 'drop', of: { reply: true } }]);
    const task = rig.start(CALL);
    const sent = rig.reply(task, 'e1');
    expect(sent.response?.fault).toEqual({ kind: 'drop' });
    expect(task.calls?.get('e1')?.reply).toBeUndefined();
    expect(sent.exchange.network).toEqual(['request dropped']);
    expect(rig.organisation.journal.read().at(-1)?.response).toBeUndefined();
  });

  it('of an answer: the service has handled it, the client never learns', () => {
    const rig = createRig([{ network: 'drop', side: 'response', of: { reply: true } }]);
    const task = rig.start(CALL);
    const sent = rig.reply(task, 'e1');
    expect(sent.response?.fault).toEqual({ kind: 'drop' });
    expect(task.calls?.get('e1')?.reply?.code).toBe(200);
    expect(sent.exchange.network).toEqual(['answer dropped']);
  });
});

describe('duplicate', () => {
  it('has the service handle the request twice; the first answer counts', () => {
    const rig = createRig([{ network: 'duplicate', of: { cancel: true } }]);
    const task = rig.start(CALL);
    const sent = rig.send('DELETE', `/task/${task.id}`);
    expect(sent.response?.status).toBe(200);
    expect(sent.exchange.network).toEqual(['handled twice', 'the second time with 404']);
  });

  it('makes two tasks of one create', () => {
    const rig = createRig([{ network: 'duplicate', of: { create: true } }]);
    const sent = rig.send('POST', '/task', { task: null });
    const ids = [...rig.world.tasks.keys()];
    expect(ids).toHaveLength(2);
    expect((bodyOf(sent) as { r: { id: string } }).r.id).toBe(ids[0]);
  });
});

describe('reorder', () => {
  it('lets the answer leave after the answer to the next such request', async () => {
    const rig = createRig([{ network: 'reorder', of: { poll: 1 } }]);
    const task = rig.start(CALL);
    const left: string[] = [];
    const first = rig.poll(task);
    expect(task.polls).toBe(1);
    rig.reply(task, 'e1');
    await rest();
    expect(first.response).toBeUndefined();
    const second = rig.poll(task);
    if (second.atOnce) left.push('second');
    await rest();
    if (first.response) left.push('first');
    expect(left).toEqual(['second', 'first']);
    expect(first.exchange.network).toEqual(['answer kept back until the next one has left']);
  });

  it('without end swaps them two by two', async () => {
    const rig = createRig([{ network: 'reorder', of: { poll: true } }]);
    const task = rig.start(CALL);
    const atOnce: boolean[] = [];
    for (let i = 0; i < 4; i++) {
      atOnce.push(rig.poll(task).atOnce);
      await rest();
    }
    expect(atOnce).toEqual([false, true, false, true]);
    expect(rig.network.waiting).toBe(0);
    expect(rig.network.list()[1]).toMatchObject({ fired: 2, passed: 2 });
  });

  it('waits for a request of the same task, and not for ever', async () => {
    const rig = createRig([{ network: 'reorder', of: { poll: true }, at_most_ms: 700 }]);
    const task = rig.start(CALL);
    const other = rig.start(CALL);
    const sent = rig.poll(task);
    rig.poll(other);
    await rig.pass(699);
    expect(sent.response).toBeUndefined();
    await rig.pass(1);
    expect(sent.response?.status).toBe(202);
    expect(sent.exchange.network?.at(-1)).toBe(
      'answer let go after 700 ms: no such request was answered meanwhile',
    );
  });
});

describe('fail', () => {
  it('answers in place of the service', () => {
    const rig = createRig([
      { network: 'fail', status: 429, detail: 'Slow down.', retry_after_s: 7, of: { reply: true } },
    ]);
    const task = rig.start(CALL);
    const sent = rig.reply(task, 'e1');
    expect(sent.response).toMatchObject({ status: 429, headers: { 'retry-after': '7' } });
    expect(sent.response?.headers['content-type']).toBe('application/json');
    expect(bodyOf(sent)).toEqual({ detail: 'Slow down.' });
    expect(task.calls?.get('e1')?.reply).toBeUndefined();
    expect(sent.exchange.network).toEqual(['failed with 429']);
  });

  it('lets the service handle it first on the side of the response', () => {
    const rig = createRig([{ network: 'fail', status: 503, side: 'response', of: { reply: true } }]);
    const task = rig.start(CALL);
    const sent = rig.reply(task, 'e1');
    expect(sent.response?.status).toBe(503);
    expect(sent.response?.headers).not.toHaveProperty('retry-after');
    expect((bodyOf(sent) as { detail: string }).detail).toContain('503');
    expect(task.calls?.get('e1')?.reply?.code).toBe(200);
  });
});

describe('quota', () => {
  it('refuses what is beyond it with 429 and the seconds until the next window', async () => {
    const rig = createRig([{ network: 'quota', requests: 2, per_ms: 2500, of: { poll: true } }]);
    const task = rig.start(CALL);
    const statuses = () => [rig.poll(task), rig.poll(task), rig.poll(task)];
    const [, , third] = statuses();
    expect(third!.response).toMatchObject({ status: 429, headers: { 'retry-after': '3' } });
    expect((bodyOf(third!) as { detail: string }).detail).toContain('2 in 2500 ms');
    expect(third!.exchange.network).toEqual(['429 by quota 2/2500ms']);
    await rig.pass(2499);
    const late = rig.poll(task);
    expect(late.response).toMatchObject({ status: 429, headers: { 'retry-after': '1' } });
    await rig.pass(1);
    expect(statuses().map((sent) => sent.response?.status)).toEqual([202, 202, 429]);
    expect(rig.network.list()[1]).toMatchObject({ fired: 3, passed: 4 });
  });

  it('refuses no more than `times` requests', () => {
    const rig = createRig([{ network: 'quota', requests: 1, per_ms: 10_000, times: 1, of: { poll: true } }]);
    const task = rig.start(CALL);
    const statuses = [1, 2, 3].map(() => rig.poll(task).response?.status);
    expect(statuses).toEqual([202, 429, 202]);
  });
});

describe('garble', () => {
  it('puts the page of a gateway in place of the answer; the service has handled the request', () => {
    const rig = createRig([{ network: 'garble', of: { poll: true } }]);
    const task = rig.start(CALL);
    const sent = rig.poll(task);
    expect(sent.response?.status).toBe(502);
    expect(sent.response?.headers['content-type']).toBe('text/html');
    expect(() => bodyOf(sent)).toThrow();
    expect(task.polls).toBe(1);
  });

  it('takes a status, a body and a type', () => {
    const rig = createRig([
      { network: 'garble', status: 200, body: '{"r":', content_type: 'application/json' },
    ]);
    const sent = rig.send('GET', '/org');
    expect(sent.response).toMatchObject({ status: 200, body: '{"r":' });
    expect(sent.response?.headers['content-type']).toBe('application/json');
  });
});

describe('truncate', () => {
  it('ends in the middle of the body', () => {
    const rig = createRig([{ network: 'truncate', of: { poll: true } }]);
    const sent = rig.poll(rig.start(CALL));
    const half = Math.floor(new TextEncoder().encode(sent.response!.body as string).length / 2);
    expect(sent.response).toMatchObject({ status: 202, fault: { kind: 'truncate', bytes: half } });
    expect(sent.exchange.network).toEqual([`answer cut off after ${half} bytes`]);
  });

  it('ends after so many bytes, and always before the end', () => {
    const rig = createRig([
      { network: 'truncate', bytes: 3, of: { poll: 1 } },
      { network: 'truncate', bytes: 1_000_000, of: { poll: 2 } },
    ]);
    const task = rig.start(CALL);
    expect(rig.poll(task).response?.fault).toEqual({ kind: 'truncate', bytes: 3 });
    const { response } = rig.poll(task);
    const length = new TextEncoder().encode(response!.body as string).length;
    expect(response?.fault).toEqual({ kind: 'truncate', bytes: length - 1 });
  });
});

describe('several rules', () => {
  it('are applied in their order, and one that finds nothing left to do has not fired', async () => {
    const rig = createRig([
      { network: 'delay', time_ms: 50, side: 'request', of: { poll: true } },
      { network: 'fail', status: 500, of: { poll: true } },
      { network: 'delay', time_ms: 50, side: 'request', of: { poll: true } },
      { network: 'truncate', of: { poll: true } },
    ]);
    const task = rig.start(CALL);
    const sent = rig.poll(task);
    await rig.pass(50);
    expect(task.polls).toBe(0);
    expect(sent.response).toMatchObject({ status: 500, fault: { kind: 'truncate' } });
    expect(sent.exchange.network?.slice(0, 2)).toEqual(['delayed 50 ms', 'failed with 500']);
    expect(rig.network.list().map((rule) => rule.fired)).toEqual([0, 1, 1, 0, 1]);
    expect(rig.network.list().map((rule) => rule.passed)).toEqual([0, 0, 0, 1, 0]);
  });
});
