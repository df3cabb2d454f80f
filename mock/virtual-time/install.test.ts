import './install.js';
import { afterAll, describe, expect, it, vi } from 'vitest';
import {
  readRememberedNow,
  remembered,
  rememberedRandom,
  waitForSignal,
} from '../../test/support/virtual-time/remembering-client.js';
import { Mock } from '../mock.js';

const mock = new Mock({ clock: 'manual' });
afterAll(() => mock.close());

const passedIn = (client: () => Promise<unknown>) =>
  mock.time.run(async () => {
    const began = Date.now();
    await client();
    return Date.now() - began;
  });

describe('with taskdouble/virtual-time imported before the client', () => {
  it.each(Object.entries(remembered))('%s that it stores is virtual', async (_, pause) => {
    expect(await passedIn(() => pause(60_000))).toBe(60_000);
  });

  it('AbortSignal.timeout that it remembers is virtual', async () => {
    expect(await passedIn(() => waitForSignal(60_000))).toBe(60_000);
  });

  it.each(Object.entries(rememberedRandom))('%s that it stores draws by the seed', async (_, draw) => {
    const drawn: unknown[] = [];
    for (let n = 0; n < 2; n++) {
      const other = new Mock({ clock: 'manual' });
      drawn.push(await other.time.run(draw));
      await other.close();
    }
    expect(drawn[1]).toEqual(drawn[0]);
    expect(draw()).not.toEqual(draw());
  });

  it.each(Object.entries(remembered))('%s is the platform’s outside of runs', async (_, pause) => {
    const before = Date.now();
    await pause(5);
    expect(Date.now() - before).toBeGreaterThanOrEqual(4);
  });

  it('clocks are the platform’s outside of runs', async () => {
    await mock.time.run(() => new Promise((resolve) => setTimeout(resolve, 60_000)));
    for (const now of Object.values(readRememberedNow))
      expect(Math.abs(now() - Date.now())).toBeLessThan(30_000);
  });

  it('stays installed after a run, and works with fake timers', async () => {
    const { setTimeout: standIn } = globalThis;
    await mock.time.run(() => 1);
    expect(globalThis.setTimeout).toBe(standIn);
    vi.useFakeTimers();
    try {
      expect(globalThis.setTimeout).not.toBe(standIn);
      expect(await passedIn(() => remembered['the global setTimeout']!(60_000))).toBe(60_000);
    } finally {
      vi.useRealTimers();
    }
    expect(globalThis.setTimeout).toBe(standIn);
  });
});

it('restores every clock after a run that left fake timers installed', async () => {
  await mock.time.run(() => void vi.useFakeTimers());
  vi.useRealTimers();
  expect(Math.abs(performance.timeOrigin + performance.now() - Date.now())).toBeLessThan(10_000);
});
