import { describe, expect, test } from 'vitest';
import { createRandom } from './random.js';

const draw = (random: { next(): number }, count: number) =>
  Array.from({ length: count }, () => random.next());

describe('createRandom', () => {
  test('the same seed gives the same numbers, another seed others', () => {
    expect(draw(createRandom('a'), 50)).toEqual(draw(createRandom('a'), 50));
    expect(draw(createRandom(7), 5)).toEqual(draw(createRandom('7'), 5));
    expect(draw(createRandom(7), 5)).not.toEqual(draw(createRandom(8), 5));
  });

  test('numbers lie in [0, 1) and spread evenly', () => {
    const buckets = new Array<number>(16).fill(0);
    for (const n of draw(createRandom('spread'), 16_000)) {
      expect(n >= 0 && n < 1).toBe(true);
      buckets[Math.floor(n * 16)]!++;
    }
    for (const count of buckets) expect(Math.abs(count - 1000)).toBeLessThan(200);
  });

  test('int reaches both ends, and spans wider than 32 bits', () => {
    const random = createRandom('int');
    const seen = new Set(Array.from({ length: 200 }, () => random.int(-1, 2)));
    expect([...seen].sort()).toEqual([-1, 0, 1, 2]);
    for (let i = 0; i < 100; i++) {
      const n = random.int(0, Number.MAX_SAFE_INTEGER);
      expect(Number.isSafeInteger(n) && n >= 0).toBe(true);
    }
    expect(random.int(5, 5)).toBe(5);
    expect(() => random.int(2, 1)).toThrow(RangeError);
    expect(() => random.int(0, 1.5)).toThrow(RangeError);
    expect(() => random.pick([])).toThrow(RangeError);
  });

  test('uuid has the form of version 4 and does not repeat', () => {
    const random = createRandom('ids');
    const ids = Array.from({ length: 20_000 }, () => random.uuid());
    const shape = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
    expect(ids.every((id) => shape.test(id))).toBe(true);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('a fork depends on its name and its parent, not on earlier draws', () => {
    const parent = createRandom('p');
    const early = draw(parent.fork('x'), 5);
    draw(parent, 100);
    expect(draw(parent.fork('x'), 5)).toEqual(early);
    expect(draw(parent.fork('y'), 5)).not.toEqual(early);
    expect(draw(createRandom('q').fork('x'), 5)).not.toEqual(early);
    expect(draw(createRandom('x'), 5)).not.toEqual(early);
  });

  test('a restored stream continues from its state, forks included', () => {
    const random = createRandom('s');
    draw(random, 9);
    const state = JSON.parse(JSON.stringify(random.saveState())) as number[];
    const next = draw(random, 9);
    const fork = random.fork('f').uuid();
    const other = createRandom('else');
    other.restore(state);
    expect(draw(other, 9)).toEqual(next);
    expect(other.fork('f').uuid()).toBe(fork);
    expect(() => other.restore([1, 2, 3])).toThrow(RangeError);
    expect(() => other.restore([1, 2, 3, 4, 5, 6, 7, -1])).toThrow(RangeError);
  });
});
