import { beforeEach, describe, expect, it } from 'vitest';
import { make } from '../../test/support/virtual-time/mocks.js';
import { KEY, runTask } from '../../test/support/virtual-time/poller.js';
import type { Mock } from '../mock.js';

const START = 1_767_225_600_000;
const ADDRESS = 'http://mock.test';
const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

let mock: Mock;
beforeEach(() => {
  mock = make({ clock: 'manual' });
});

describe('the clocks of a mock in a run', () => {
  it.each(['real', 'eager', 'skipping', 'manual'] as const)(
    '%s: go by the run, and on from there',
    async (mode) => {
      const one = make({ clock: mode });
      await one.fetch('/api/v1/usage', { headers: { apikey: KEY } });
      const before = one.clock.now(KEY);
      const shown = await one.time.run(
        async () => {
          const start = Date.now();
          await wait(86_400_000);
          return [start, Date.now(), one.clock.now(KEY), (await one.clock.view(KEY))[0]!.mode];
        },
        { deadlineMs: 1e9, stalledMs: 1e9 },
      );
      const start = Number(shown[0]);
      expect(start).toBeGreaterThanOrEqual(before);
      expect(shown.slice(1)).toEqual([start + 86_400_000, start + 86_400_000, 'manual']);
      expect(one.clock.view(KEY)[0]).toMatchObject({ mode });
      const after = one.clock.now(KEY);
      expect(after).toBeGreaterThanOrEqual(start + 86_400_000);
      // It continues from there, and not a day later.
      expect(after).toBeLessThan(start + 86_400_000 + 3_600_000);
      await one.fetch('/api/v1/usage', { headers: { apikey: 'opened later' } });
      expect(one.clock.view('opened later')[0]).toMatchObject({ mode });
    },
  );

  it('are the same for all organisations, also for those opened during the run', async () => {
    await mock.fetch('/api/v1/usage', { headers: { apikey: 'one' } });
    await mock.fetch('/api/v1/usage', { headers: { apikey: 'two' } });
    await mock.clock.advance(5_000, 'two');
    await mock.time.run(async () => {
      expect(Date.now()).toBe(START + 5_000);
      await wait(1_000);
      await mock.fetch('/api/v1/usage', { headers: { apikey: 'three' } });
      await wait(1_000);
    });
    const clocks = ['one', 'two', 'three'].map((key) => mock.clock.now(key) - START);
    expect(clocks).toEqual([7_000, 7_000, 7_000]);
    expect(mock.journal({ key: 'three' })[0]!.request.at).toBe(START + 6_000);
  });

  it('include those of an organisation that is removed and opened again', async () => {
    await mock.time.run(async () => {
      await wait(1_000);
      mock.reset();
      await runTask(mock.fetch, ADDRESS);
    });
    expect(mock.clock.now(KEY)).toBe(START + 31_000);
  });

  it('may be moved by a test: the client has the same time', async () => {
    const seen = await mock.time.run(async () => {
      const late = wait(60_000).then(() => Date.now());
      await wait(1_000);
      await mock.fetch('/api/v1/usage', { headers: { apikey: KEY } });
      await mock.clock.advance('5m', KEY);
      await wait(1_000);
      return [Date.now(), await late];
    });
    expect(seen.map((at) => at - START)).toEqual([301_000, 301_000]);
  });

  it('are the clients’ own where all requests were made in runs', async () => {
    expect(mock.time.isClients).toBe(false);
    const client = () => runTask(mock.fetch, ADDRESS);
    await mock.time.run(async () => {
      await client();
      expect(mock.time.isClients).toBe(true);
    });
    await mock.time.run(client);
    expect(mock.time.isClients).toBe(true);
    await mock.fetch('/api/v1/usage', { headers: { apikey: KEY } });
    expect(mock.time.isClients).toBe(false);
    mock.reset();
    await mock.time.run(client);
    expect(mock.time.isClients).toBe(true);
  });
});
