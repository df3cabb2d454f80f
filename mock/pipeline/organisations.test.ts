import { describe, expect, it } from 'vitest';
import { startMock, type TestMock } from '../../test/support/mock/mock.js';

const DELAY = { network: 'delay', time_ms: 1000 } as const;

/** True if the promise settles without time passing. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  promise.then(
    () => {
      settled = true;
    },
    () => {},
  );
  for (let n = 0; n < 100; n++) await undefined;
  return settled;
}

const listKeys = ({ service }: TestMock) => [...service.organisations.values()].map(({ key }) => key);

describe('Organisations', () => {
  it('beyond the limit the one unused for longest is removed, never the newest', async () => {
    const mock = await startMock({ limits: { organisations: 2 } });
    await mock.create({ task: 'x' }, 'a');
    await mock.create({ task: 'x' }, 'b');
    await mock.send('GET', '/usage', undefined, 'a');
    const id = await mock.create({ task: 'x' }, 'c');
    expect(listKeys(mock)).toEqual(['a', 'c']);
    expect((await mock.poll(id, 0, 'c')).status).toBe(202);
  });

  it('a reset responds to polls that wait for news', async () => {
    const mock = await startMock({ dialect: { 'poll.long-poll': 'on' } });
    const id = await mock.create({ task: null });
    const poll = mock.poll(id);
    expect(await isSettled(poll)).toBe(false);
    mock.control.reset('a');
    expect(await isSettled(poll)).toBe(true);
  });

  it('a reset responds to requests that rules hold, and no rule holds them again', async () => {
    const mock = await startMock({ network: [{ ...DELAY, side: 'request' }, DELAY] });
    const usage = mock.send('GET', '/usage');
    mock.control.reset('a');
    expect(await isSettled(usage)).toBe(true);
    expect((await usage).status).toBe(200);
  });

  it('a poll that a reset releases does not begin to wait for news', async () => {
    const dialect = { 'poll.long-poll': 'on' };
    const mock = await startMock({ dialect, network: [{ ...DELAY, side: 'request', of: { poll: true } }] });
    const poll = mock.poll(await mock.create({ task: null }));
    mock.control.reset('a');
    expect(await isSettled(poll)).toBe(true);
  });

  it('removed organisations leave no wake-up, for any planned work', async () => {
    const armed = new Set<unknown>();
    const timers = {
      set: (callback: () => void) => {
        armed.add(callback);
        return callback;
      },
      clear: (timer: unknown) => void armed.delete(timer),
    };
    const mock = await startMock({ clock: 'real', wall: () => 1e12, timers, limits: { organisations: 5 } });
    for (let n = 0; n < 500; n++) await mock.create({ task: null }, `key-${n}`);
    expect(armed.size).toBeLessThan(100);
  });

  it('keep at most the allowed number of exchanges together, and drop the oldest of each', async () => {
    const mock = await startMock({ limits: { totalExchanges: 80, exchanges: 80 } });
    const sizes = () => [...mock.service.organisations.values()].map(({ journal }) => journal.size);
    for (let n = 0; n < 300; n++) await mock.send('GET', '/usage', undefined, `key-${n % 10}`);
    const total = sizes().reduce((sum, size) => sum + size);
    expect(total).toBeGreaterThan(60);
    expect(total).toBeLessThanOrEqual(80);
    for (const { journal } of mock.service.organisations.values())
      expect(journal.read().at(-1)!.seq).toBe(30);
    mock.control.reset();
    for (let n = 0; n < 70; n++) await mock.send('GET', '/usage', undefined, 'one');
    expect(sizes()).toEqual([70]);
  });
});
