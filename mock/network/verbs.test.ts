import { describe, expect, it } from 'vitest';
import type { NetworkRule } from '../../scenarios/format/types.js';
import { CALL, createRig, readBody, readNotes, settlePromises } from '../../test/support/network/rig.js';

describe('every effect', () => {
  it.each([
    ['request', { network: 'drop' }],
    [undefined, { network: 'drop', side: 'response' }],
    ['request', { network: 'fail', status: 503 }],
    [undefined, { network: 'fail', status: 503, side: 'response' }],
    ['request', { network: 'delay', time_ms: 5, side: 'request' }],
    [undefined, { network: 'delay', time_ms: 5 }],
    ['request', { network: 'quota', requests: 0, per_ms: 1000 }],
    [undefined, { network: 'truncate', bytes: 3 }],
    [undefined, { network: 'garble' }],
  ] as [string | undefined, NetworkRule][])(
    'says whether it was done to the request (%s): %j',
    (side, rule) => {
      const rig = createRig([{ ...rule, of: { poll: true } }]);
      const task = rig.start(CALL);
      rig.poll(task);
      const { exchange } = rig.poll(task);
      expect(exchange.network?.map((each) => each.side)).toEqual([side]);
    },
  );

  it('of a wait that the client ends is on the side of the wait', async () => {
    for (const side of ['request', 'response'] as const) {
      const rig = createRig([{ network: 'delay', time_ms: 5, side, of: { poll: true } }]);
      const leave = new AbortController();
      const sent = rig.poll(rig.start(CALL), 0, leave.signal);
      leave.abort();
      await settlePromises();
      const own = side === 'request' ? side : undefined;
      expect(sent.exchange.network?.map((each) => [each.effect, each.side])).toEqual([
        ['delayed', own],
        ['lost', own],
      ]);
    }
  });
});

describe('drop', () => {
  it('a request: the service never receives it', () => {
    const rig = createRig([{ network: 'drop', of: { reply: true } }]);
    const task = rig.start(CALL);
    const sent = rig.reply(task, 'e1');
    expect(sent.response?.fault).toEqual({ kind: 'drop' });
    expect(task.calls?.get('e1')?.reply).toBeUndefined();
    expect(readNotes(sent)).toEqual(['request dropped']);
    expect(sent.exchange.network).toMatchObject([{ verb: 'drop', effect: 'lost', side: 'request' }]);
    expect(rig.organisation.journal.read().at(-1)?.response).toBeUndefined();
  });

  it('a response: the service has handled the request, the client receives nothing', () => {
    const rig = createRig([{ network: 'drop', side: 'response', of: { reply: true } }]);
    const task = rig.start(CALL);
    const sent = rig.reply(task, 'e1');
    expect(sent.response?.fault).toEqual({ kind: 'drop' });
    expect(task.calls?.get('e1')?.reply?.code).toBe(200);
    expect(readNotes(sent)).toEqual(['response dropped']);
    expect(sent.exchange.network![0]).not.toHaveProperty('side');
  });
});

describe('duplicate', () => {
  it('makes the service handle the request twice; the first response counts', () => {
    const rig = createRig([{ network: 'duplicate', of: { cancel: true } }]);
    const task = rig.start(CALL);
    const sent = rig.send('DELETE', `/task/${task.id}`);
    expect(sent.response?.status).toBe(200);
    expect(readNotes(sent)).toEqual(['handled twice', 'the second time with 404']);
  });

  it('makes two tasks of one create', () => {
    const rig = createRig([{ network: 'duplicate', of: { create: true } }]);
    const sent = rig.send('POST', '/task', { task: null });
    const ids = [...rig.organisation.tasks.keys()];
    expect(ids).toHaveLength(2);
    expect((readBody(sent) as { r: { id: string } }).r.id).toBe(ids[0]);
  });
});

describe('fail', () => {
  it('responds in place of the service', () => {
    const rig = createRig([
      { network: 'fail', status: 429, detail: 'Slow down.', retry_after_s: 7, of: { reply: true } },
    ]);
    const task = rig.start(CALL);
    const sent = rig.reply(task, 'e1');
    expect(sent.response).toMatchObject({ status: 429, headers: { 'retry-after': '7' } });
    expect(sent.response?.headers['content-type']).toBe('application/json');
    expect(readBody(sent)).toEqual({ detail: 'Slow down.' });
    expect(task.calls?.get('e1')?.reply).toBeUndefined();
    expect(readNotes(sent)).toEqual(['failed with 429']);
  });

  it('on the response side, the service handles the request first', () => {
    const rig = createRig([{ network: 'fail', status: 503, side: 'response', of: { reply: true } }]);
    const task = rig.start(CALL);
    const sent = rig.reply(task, 'e1');
    expect(sent.response?.status).toBe(503);
    expect(sent.response?.headers).not.toHaveProperty('retry-after');
    expect((readBody(sent) as { detail: string }).detail).toContain('503');
    expect(task.calls?.get('e1')?.reply?.code).toBe(200);
  });
});

describe('quota', () => {
  it('refuses requests beyond it with 429 and the seconds until the next window', async () => {
    const rig = createRig([{ network: 'quota', requests: 2, per_ms: 2500, of: { poll: true } }]);
    const task = rig.start(CALL);
    const statuses = () => [rig.poll(task), rig.poll(task), rig.poll(task)];
    const [, , third] = statuses();
    expect(third!.response).toMatchObject({ status: 429, headers: { 'retry-after': '3' } });
    expect((readBody(third!) as { detail: string }).detail).toContain('2 in 2500 ms');
    expect(readNotes(third!)).toEqual(['429 by quota 2/2500ms']);
    await rig.advance(2499);
    const late = rig.poll(task);
    expect(late.response).toMatchObject({ status: 429, headers: { 'retry-after': '1' } });
    await rig.advance(1);
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
  it('replaces the response with the page of a gateway; the service has handled the request', () => {
    const rig = createRig([{ network: 'garble', of: { poll: true } }]);
    const task = rig.start(CALL);
    const sent = rig.poll(task);
    expect(sent.response?.status).toBe(502);
    expect(sent.response?.headers['content-type']).toBe('text/html');
    expect(() => readBody(sent)).toThrow();
    expect(task.polls).toBe(1);
  });

  it('accepts a status, a body and a type', () => {
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
    expect(readNotes(sent)).toEqual([`response cut off after ${half} bytes`]);
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
    await rig.advance(50);
    expect(task.polls).toBe(0);
    expect(sent.response).toMatchObject({ status: 500, fault: { kind: 'truncate' } });
    expect(readNotes(sent).slice(0, 2)).toEqual(['delayed 50 ms', 'failed with 500']);
    expect(rig.network.list().map((rule) => rule.fired)).toEqual([0, 1, 1, 0, 1]);
    expect(rig.network.list().map((rule) => rule.passed)).toEqual([0, 0, 0, 1, 0]);
  });
});
