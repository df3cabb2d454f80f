import { describe, expect, it } from 'vitest';
import { startMock } from '../../test/support/mock/mock.js';

describe('the network', () => {
  it('is set, shown and cleared for one organisation or all', async () => {
    const mock = await startMock();
    await mock.send('GET', '/usage');
    await mock.control.network.set('- network: fail\n  status: 503\n  of: getUsage\n', 'b');
    expect((await mock.send('GET', '/usage')).status).toBe(200);
    expect((await mock.send('GET', '/usage', undefined, 'b')).status).toBe(503);
    expect(mock.control.network.list('b')).toMatchObject([
      { organisation: 'org-2', rules: [{ id: 'rule-1', fired: 1 }] },
    ]);
    await mock.control.network.set({ rules: [{ network: 'fail', status: 500, of: 'getUsage' }] });
    expect((await mock.send('GET', '/usage', undefined, 'later')).status).toBe(500);
    mock.control.network.clear('b', 'rule-1');
    expect((await mock.send('GET', '/usage', undefined, 'b')).status).toBe(200);
    expect(() => mock.control.network.clear('b', 'rule-9')).toThrow('There is no network rule "rule-9".');
    mock.control.network.clear();
    expect((await mock.send('GET', '/usage')).status).toBe(200);
    expect((await mock.send('GET', '/usage', undefined, 'even later')).status).toBe(200);
  });

  it('without a key applies to every organisation, also to later ones; each counts separately', async () => {
    const mock = await startMock();
    const { network } = mock.control;
    const usage = async (key: string) => (await mock.send('GET', '/usage', undefined, key)).status;
    await network.add('fail 503 of getUsage times 1');
    await network.add('fail 500 of getUsage times 1');
    expect(network.forAll().map(({ id }) => id)).toEqual(['rule-1', 'rule-2']);
    for (const key of ['a', 'b'])
      expect([await usage(key), await usage(key), await usage(key)]).toEqual([503, 500, 200]);
    // A rule of one organisation does not get the id of a shared rule.
    await network.add('fail 502 of getUsage', 'b');
    await network.add('fail 501 of getUsage');
    expect(network.list('b')[0]!.rules.map(({ id }) => id)).toEqual(['rule-1', 'rule-2', 'rule-3', 'rule-4']);
    expect(network.list('a')[0]!.rules.map(({ id }) => id)).toEqual(['rule-1', 'rule-2', 'rule-4']);
    network.clear(undefined, 'rule-4');
    network.clear('b', 'rule-3');
    expect([await usage('a'), await usage('b'), await usage('c')]).toEqual([200, 200, 503]);
    mock.control.reset('a');
    mock.control.reset('b');
    mock.control.reset('c');
    network.clear(undefined, 'rule-1');
    expect(await usage('a')).toBe(500);
    expect(() => network.clear(undefined, 'rule-1')).toThrow('There is no network rule "rule-1".');
  });

  it.each<string | object>([
    'fail 503 of GET /usage',
    '"fail 503 of GET /usage"',
    { rules: 'fail 503 of getUsage' },
  ])('accepts shorthand rules: %j', async (rules) => {
    const mock = await startMock();
    await mock.control.network.set(rules, 'a');
    expect((await mock.send('GET', '/usage')).status).toBe(503);
  });

  it('opens no organisation when listed', async () => {
    const { control } = await startMock();
    expect(control.network.list('never')).toEqual([]);
    expect(control.snapshot('never').organisations).toEqual([]);
    expect(control.health().organisations).toBe(0);
  });

  it('refuses invalid rules and keeps the existing ones', async () => {
    const mock = await startMock();
    await mock.control.network.set([{ network: 'fail', status: 503, of: 'getUsage' }], 'a');
    await expect(mock.control.network.set([{ network: 'explode' }], 'a')).rejects.toThrow(
      /^rules: network: expected one of .* \(at \[0\]\.network\)$/,
    );
    expect((await mock.send('GET', '/usage')).status).toBe(503);
  });
});
