import { describe, expect, it } from 'vitest';
import { type BucketFinding, Buckets, bucketOf } from './search/buckets.js';
import { Frontier } from './search/frontier.js';
import { inOrder } from './search/pool.js';
import { checkShard, isMine } from './search/shard.js';

const finding = (rule: string, about?: string, level: 'must' | 'advice' = 'must'): BucketFinding => ({
  rule,
  about,
  level,
  message: '',
  evidence: [],
});

describe('buckets', () => {
  it('are the rule, what it is about and its weight', () => {
    expect(bucketOf(finding('replies/outcome', 'first')).key).toBe('replies/outcome first');
    expect(bucketOf(finding('cursor/same-instant', 'second', 'advice')).key).toBe(
      'cursor/same-instant second (advice)',
    );
  });

  it('give the first finding of each, count a run once, and pass over what is known', () => {
    const buckets = new Buckets(['run/ended']);
    const first = buckets.add([
      finding('a', 'x'),
      finding('a', 'x'),
      finding('a', 'y'),
      finding('run/ended'),
    ]);
    expect(first.map(({ about }) => about)).toEqual(['x', 'y']);
    expect(buckets.add([finding('a', 'x'), finding('run/ended')])).toEqual([]);
    expect([buckets.seen('a x'), buckets.seen('a y')]).toEqual([2, 1]);
    expect(buckets.passedOver()).toEqual([{ key: 'run/ended', seen: 2 }]);
  });
});

describe('the frontier', () => {
  it('gives the best first, and the older of two that are as good', () => {
    const frontier = new Frontier<string>(10);
    for (const [turn, item] of [
      [2, 'c'],
      [1, 'a'],
      [2, 'd'],
      [1, 'b'],
    ] as const)
      frontier.push(turn, item);
    expect([...frontier.drain()]).toEqual(['a', 'b', 'c', 'd']);
    expect(frontier.size).toBe(0);
  });

  it('lets go the last when there are too many, and counts all', () => {
    const frontier = new Frontier<number>(3);
    for (const turn of [5, 1, 4, 2, 3]) frontier.push(turn, turn);
    expect([...frontier.drain()]).toEqual([1, 2, 3]);
    expect(frontier.offered).toBe(5);
  });
});

describe('shards', () => {
  const texts = Array.from({ length: 1000 }, (_, index) => `schedule ${index}`);

  it('take every schedule exactly once, about as many each', () => {
    const parts = [1, 2, 3].map((part) => texts.filter((text) => isMine(text, 1, { part, of: 3 })));
    expect(parts.flat().sort()).toEqual(texts.toSorted());
    for (const part of parts) expect(part.length).toBeGreaterThan(270);
  });

  it('all run the defaults', () => {
    expect([1, 2, 3].every((part) => isMine('x', 0, { part, of: 3 }))).toBe(true);
  });

  it.each([
    [0, 2],
    [3, 2],
    [1.5, 2],
    [1, 0],
  ])('refuses part %d of %d', (part, of) => {
    expect(() => checkShard({ part, of })).toThrow(`found ${part}/${of}`);
  });
});

describe('runs at the same time', () => {
  const late = () => {
    const settle: (() => void)[] = [];
    return { settle, wait: () => new Promise<void>((resolve) => settle.push(resolve)) };
  };

  it('are as many as asked for, and finished in order', async () => {
    const { settle, wait } = late();
    const started: number[] = [];
    const finished: number[] = [];
    const start = async (n: number) => {
      started.push(n);
      await wait();
      return -n;
    };
    const all = inOrder(
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
    await inOrder(
      [1, 2, 3, 4],
      3,
      start,
      (n) => void finished.push(n),
      () => isOver,
    );
    expect(finished).toEqual([1, 2]);
  });
});
