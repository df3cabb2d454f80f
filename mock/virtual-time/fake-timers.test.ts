import { performance as nodePerformance } from 'node:perf_hooks';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FAKEABLE } from '../../test/support/virtual-time/fakeable.js';
import { listDifferences, readPlatformState } from '../../test/support/virtual-time/platform-state.js';
import { runTask } from '../../test/support/virtual-time/poller.js';
import { Mock } from '../mock.js';

let mock: Mock;
beforeEach(() => {
  mock = new Mock({ clock: 'manual' });
});
afterEach(async () => {
  vi.useRealTimers();
  await mock.close();
});

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
const client = () => runTask(mock.fetch, 'http://mock.test');
/** The first run of a process loads modules. */
const warmUp = () => mock.time.run(client);
const DONE = { status: 'done', polls: 31 };

/** A run whose client has begun. Wrapped in an object, because a returned promise would be awaited. */
async function underWay() {
  let started = () => {};
  const hasStarted = new Promise<void>((resolve) => {
    started = resolve;
  });
  const run = mock.time.run(async () => {
    started();
    return client();
  });
  await hasStarted;
  return { run };
}

describe('fake timers of vitest', () => {
  it.each([
    ['as they are by default', undefined],
    ['all of them', [...FAKEABLE]],
  ])('before a run, %s: virtual time within, fake time outside', async (_, toFake) => {
    await warmUp();
    const before = readPlatformState();
    vi.useFakeTimers({ now: 1_000, ...(toFake && { toFake }) });
    const fake = readPlatformState();
    let fired = 0;
    setTimeout(() => fired++, 5_000);
    expect(await mock.time.run(client)).toEqual(DONE);
    expect(listDifferences(fake)).toEqual([]);
    expect([fired, Date.now()]).toEqual([0, 1_000]);
    await vi.advanceTimersByTimeAsync(5_000);
    expect([fired, Date.now()]).toEqual([1, 6_000]);
    vi.useRealTimers();
    expect(listDifferences(before)).toEqual([]);
  });

  it('before a run, over a port', async () => {
    const { baseUrl } = await mock.listen();
    vi.useFakeTimers();
    expect(await mock.time.run(() => runTask(fetch, baseUrl))).toEqual(DONE);
  });

  it('installed outside during a run affect the client, too: the error says so', async () => {
    await warmUp();
    const { run } = await underWay();
    vi.useFakeTimers({ now: 1_000 });
    await expect(run).rejects.toThrow(/setTimeout was replaced during the run/);
    let fired = 0;
    setTimeout(() => fired++, 5_000);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(fired).toBe(1);
    vi.useRealTimers();
    expect(await mock.time.run(client)).toEqual(DONE);
    expect(performance).toBe(nodePerformance);
  });

  it('installed by the client itself: the error says so', async () => {
    await warmUp();
    const before = readPlatformState();
    const run = mock.time.run(async () => {
      vi.useFakeTimers();
      await wait(1_000);
    });
    await expect(run).rejects.toThrow(/setTimeout was replaced during the run/);
    vi.useRealTimers();
    expect(await mock.time.run(client)).toEqual(DONE);
    await new Promise((resolve) => setTimeout(resolve, 1));
    expect(listDifferences(before)).toEqual([]);
  });

  it('installed and advanced by the client itself', async () => {
    await warmUp();
    const before = readPlatformState();
    const fired = await mock.time.run(async () => {
      vi.useFakeTimers();
      const timer = wait(1_000);
      await vi.advanceTimersByTimeAsync(1_000);
      await timer;
      vi.useRealTimers();
      await wait(1_000);
      return true;
    });
    expect(fired).toBe(true);
    expect(listDifferences(before)).toEqual([]);
  });

  it('after a run, as usual', async () => {
    await mock.time.run(client);
    vi.useFakeTimers();
    const timer = wait(1_000);
    await vi.advanceTimersByTimeAsync(1_000);
    await timer;
  });
});
