import { describe, expect, it } from 'vitest';
import { KeyNumbers } from './recorder.js';

describe('the numbers of keys', () => {
  it('are 1, 2, 3, … in the order of their first use', () => {
    const numbers = new KeyNumbers();
    expect(['b', 'a', 'b', '', 'a'].map((key) => numbers.of(key))).toEqual([1, 2, 1, 3, 2]);
  });

  it('stay what they are beyond the bound, where none is remembered', () => {
    const numbers = new KeyNumbers(2);
    const first = ['a', 'b', 'c', 'd'].map((key) => numbers.of(key));
    for (let n = 0; n < 1000; n++) numbers.of(`other ${n}`);
    expect(['a', 'b', 'c', 'd'].map((key) => numbers.of(key))).toEqual(first);
    expect(first.slice(0, 2)).toEqual([1, 2]);
    // Made of the key, not counted: another process, whatever it has seen, gives them the same ones.
    const other = new KeyNumbers(2);
    for (const key of ['x', 'y', 'z', 'd', 'c']) other.of(key);
    expect(['c', 'd'].map((key) => other.of(key))).toEqual(first.slice(2));
    expect(first.slice(2).every((number) => Number.isSafeInteger(number) && number > 2)).toBe(true);
  });

  it('are different for different keys, beyond the bound too', () => {
    const numbers = new KeyNumbers(10);
    const all = Array.from({ length: 20_000 }, (_, n) => numbers.of(`key-${n}`));
    expect(new Set(all).size).toBe(all.length);
  });
});
