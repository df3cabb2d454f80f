import { describe, expect, it } from 'vitest';
import { runInOrder } from './run-in-order.js';

describe('runs at the same time', () => {
  const late = () => {
    const settle: (() => void)[] = [];
    return { settle, wait: () => new Promise<void>((resolve) => settle.push(resolve)) };
  };

  it('run as many as requested, and finish in order', async () => {
    const { settle, wait } = late();
    const started: number[] = [];
    const finished: number[] = [];
    const start = async (n: number) => {
      started.push(n);
      await wait();
      return -n;
    };
    const all = runInOrder(
      [1, 2, 3, 4],
      2,
      start,
      (n, result) => void finished.push(n, result),
      () => false,
    );
    await Promise.resolve();
    expect(started).toEqual([1, 2]);
    settle[1]!();
    await new Promise((resolve) => setImmediate(resolve));
    expect(started).toEqual([1, 2, 3]);
    expect(finished).toEqual([]);
    for (let n = 0; n < 4; n++) {
      settle[n]?.();
      await new Promise((resolve) => setImmediate(resolve));
    }
    await all;
    expect(finished).toEqual([1, -1, 2, -2, 3, -3, 4, -4]);
  });

  it('stop when it is over, and finish what is under way', async () => {
    const finished: number[] = [];
    let isOver = false;
    const start = async (n: number) => {
      isOver = n === 2;
      return n;
    };
    await runInOrder(
      [1, 2, 3, 4],
      3,
      start,
      (n) => void finished.push(n),
      () => isOver,
    );
    expect(finished).toEqual([1, 2]);
  });
});
