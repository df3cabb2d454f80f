import { describe, expect, it } from 'vitest';
import { countOfShard, selectShard } from './shard.js';

describe('the shards of a list', () => {
  const items = Array.from({ length: 13 }, (_, n) => n);
  it.each([1, 2, 3, 5, 13, 20])(
    '%i: every item is in exactly one, and none has two more than another',
    (of) => {
      const shards = Array.from({ length: of }, (_, index) => selectShard(items, { part: index + 1, of }));
      expect(shards.flat().toSorted((one, other) => one - other)).toEqual(items);
      const sizes = shards.map(({ length }) => length);
      expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThan(2);
      expect(sizes).toEqual(shards.map((_, index) => countOfShard(13, { part: index + 1, of })));
    },
  );

  it('are the list itself without a shard', () => {
    expect(selectShard(items, undefined)).toEqual(items);
    expect(countOfShard(13, undefined)).toBe(13);
  });
});
