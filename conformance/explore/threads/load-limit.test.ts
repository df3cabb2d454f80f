import { describe, expect, it } from 'vitest';
import { LoadLimit } from './load-limit.js';

/** Runs that end when the test says so. */
function fill(limit: LoadLimit, runs: number) {
  const ends: (() => void)[] = [];
  const all = Array.from({ length: runs }, () =>
    limit.run(() => new Promise<void>((resolve) => ends.push(resolve))),
  );
  return { ends, all };
}
const observe = (limit: LoadLimit, lateness_ms: number, times: number) => {
  for (let sample = 0; sample < times; sample++) limit.observe(lateness_ms);
};
const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('the number of runs at the same time', () => {
  it('grows while timers are punctual and all allowed runs are made, up to a limit', async () => {
    const limit = new LoadLimit(2);
    const { ends } = fill(limit, 100);
    expect([limit.allowed, ends.length]).toEqual([2, 2]);
    observe(limit, 1, 6);
    await settle();
    expect([limit.allowed, ends.length]).toEqual([3, 3]);
    for (let times = 0; times < 100; times++) {
      observe(limit, 1, 6);
      await settle();
    }
    expect([limit.allowed, ends.length]).toEqual([limit.most, limit.most]);
  });

  it('does not grow without runs, or if timers are late', async () => {
    const limit = new LoadLimit(2);
    observe(limit, 1, 60);
    expect(limit.allowed).toBe(2);
    fill(limit, 10);
    observe(limit, 15, 60);
    expect(limit.allowed).toBe(2);
  });

  it('shrinks if timers are very late: no run starts until others have ended', async () => {
    const limit = new LoadLimit(2);
    const { ends, all } = fill(limit, 40);
    for (let times = 0; times < 10; times++) {
      observe(limit, 1, 6);
      await settle();
    }
    expect(ends.length).toBe(12);
    observe(limit, 100, 6);
    expect(limit.allowed).toBe(9);
    for (const end of ends.slice(0, 3)) end();
    await Promise.all(all.slice(0, 3));
    await settle();
    expect(ends.length).toBe(12);
    ends[3]!();
    await all[3];
    await settle();
    expect(ends.length).toBe(13);
    observe(limit, 100, 600);
    expect(limit.allowed).toBe(2);
  });
});
