import { describe, expect, it } from 'vitest';
import { startMock } from '../../test/support/mock/mock.js';

const ONCE = 'fail 503 of getUsage times 1';

async function start() {
  const mock = await startMock();
  const { network } = mock.control;
  const usage = async (key = 'a') => (await mock.send('GET', '/usage', undefined, key)).status;
  const ids = (key = 'a') => network.list(key)[0]!.rules.map(({ id }) => id);
  const why = (key = 'a', id = 'rule-1') => network.explain(key, id)[0]!.why;
  return { ...mock, network, usage, ids, why };
}

describe('a rule whose hits are counted together', () => {
  it('acts once in all organisations, also in later ones, and after a restored snapshot', async () => {
    const { control, network, usage, why } = await start();
    await usage('a');
    await usage('b');
    await network.add(ONCE, undefined, { count: 'together' });
    expect([await usage('b'), await usage('a'), await usage('later')]).toEqual([503, 200, 200]);
    expect(network.list().map(({ rules }) => [rules[0]!.state, rules[0]!.count])).toEqual([
      ['spent', 'together'],
      ['spent', 'together'],
      ['spent', 'together'],
    ]);
    expect(why('a')).toBe('It acts once in all organisations together, and has acted 0 times in this one.');
    const state = control.snapshot();
    await network.change('rule-1', { again: true });
    await control.restore(state);
    expect([await usage('a'), await usage('b'), await usage('even later')]).toEqual([200, 200, 200]);
    await network.change('rule-1', { again: true });
    expect([await usage('even later'), await usage('a'), await usage('b')]).toEqual([503, 200, 200]);
  });

  it('acts twice with times 2, and lets as many pass as skip says', async () => {
    const { network, usage } = await start();
    await network.add('fail 503 of getUsage times 2 skip 1', undefined, { count: 'together' });
    const keys = ['a', 'b', 'a', 'c'];
    const statuses: number[] = [];
    for (const key of keys) statuses.push(await usage(key));
    expect(statuses).toEqual([200, 503, 503, 200]);
  });

  it('is for all organisations', async () => {
    const { network } = await start();
    await expect(network.add(ONCE, 'a', { count: 'together' })).rejects.toThrow('count is for rules of all');
  });
});

describe('a rule of one task', () => {
  it('affects no other task, and no request without one', async () => {
    const { network, create, poll, send, why } = await start();
    const [one, other] = [await create({ task: 'one' }), await create({ task: 'other' })];
    await network.add('fail 503', undefined, { task: one });
    expect((await send('GET', '/usage')).status).toBe(200);
    expect((await poll(other)).status).toBe(202);
    expect(why()).toBe(`No request has matched. The nearest is 4: it is poll 1, not of task ${one}.`);
    expect((await poll(one)).status).toBe(503);
    await expect(network.add(ONCE, 'b', { task: one })).rejects.toThrow('There is no task');
  });
});

describe('a change of a rule', () => {
  it('switches it off and on, in one organisation or all, also in later ones', async () => {
    const { network, usage, why } = await start();
    await network.add('fail 503 of getUsage');
    await usage('b');
    await network.change('rule-1', { enabled: false }, 'a');
    expect([await usage('a'), await usage('b')]).toEqual([200, 503]);
    expect([network.list('a')[0]!.rules[0]!.state, why()]).toEqual(['off', 'It is switched off.']);
    await network.change('rule-1', { enabled: false });
    expect([await usage('b'), await usage('later')]).toEqual([200, 200]);
    await network.change('rule-1', { enabled: true });
    expect([await usage('a'), await usage('later')]).toEqual([503, 503]);
    await expect(network.change('rule-9', { enabled: false })).rejects.toThrow('no network rule "rule-9"');
  });

  it('releases what a rule holds that is switched off', async () => {
    const { network, create, poll } = await start();
    const id = await create({ task: 'x' });
    await network.add('hold of poll until go', 'a');
    const polling = poll(id);
    await network.change('rule-1', { enabled: false }, 'a');
    expect((await polling).status).toBe(202);
  });

  it('puts another rule in its place, starts its counters again, and orders the rules', async () => {
    const { network, usage, ids } = await start();
    await network.set(`${ONCE}; fail 500 of getUsage times 1`, 'a');
    expect(await usage()).toBe(503);
    await network.change('rule-1', { again: true }, 'a');
    await network.change('rule-1', { before: null }, 'a');
    expect(ids()).toEqual(['rule-2', 'rule-1']);
    expect([await usage(), await usage()]).toEqual([500, 503]);
    await network.change('rule-1', { rule: 'fail 418 of getUsage', before: 'rule-2' }, 'a');
    expect([await usage(), ids()]).toEqual([418, ['rule-1', 'rule-2']]);
    await expect(network.change('rule-1', { rule: 'drop; garble' }, 'a')).rejects.toThrow(
      'expected one rule',
    );
    await expect(network.change('rule-1', { rule: { network: 'x' } }, 'a')).rejects.toThrow('network');
  });
});

describe('the explanation of a rule', () => {
  it('names the condition that the nearest request did not meet', async () => {
    const { network, create, poll, usage, why } = await start();
    const id = await create({ task: 'x' });
    await network.add('fail 503 of poll 3', 'a');
    expect(why()).toBe('No request has arrived since it was set.');
    await poll(id);
    expect(why()).toBe('No request has matched. The nearest is 2: it is poll 1, not poll 3.');
    await usage();
    expect(network.explain('a')).toEqual([
      {
        organisation: 'org-1',
        id: 'rule-1',
        state: 'live',
        why: 'No request has matched. The nearest is 3: it is getUsage, not poll 3.',
        nearest: { organisation: 'org-1', seq: 3 },
      },
    ]);
  });

  it('says that the requests are of another key, that the rule is spent or expired, or had nothing to change', async () => {
    const { control, network, usage, why } = await start();
    await usage('b');
    await usage('a');
    await control.clock.set({ advance: '1s' });
    await network.set(`${ONCE}; fail 500 of cancel expires 1s; garble of getUsage skip 5`, 'a');
    expect(why()).toBe('No request has arrived since it was set.');
    await usage('b');
    expect(why()).toContain('Request 2 of org-1 does, and the rule is of org-2 alone.');
    await usage('a');
    expect(why()).toBe('It has acted once. It acts once.');
    expect(why('a', 'rule-3')).toBe('1 request has matched: it lets the first 5 pass.');
    await control.clock.set({ advance: '2s' });
    expect(why('a', 'rule-2')).toMatch(/^Its time is over. No request has matched./);
    expect(() => network.explain('a', 'rule-9')).toThrow('There is no network rule "rule-9".');
  });
});
