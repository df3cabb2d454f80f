import { describe, expect, it } from 'vitest';
import { type Candidates, minimize } from './minimize.js';

/** Removes one number after the other, and goes on with what still fails. */
function* removeEach(value: number[]): Candidates<number[]> {
  let best = value;
  for (let at = best.length - 1; at >= 0; at--) {
    const candidate = best.toSpliced(at, 1);
    if (yield candidate) best = candidate;
  }
}

describe('minimize', () => {
  const search = async (budget?: Parameters<typeof minimize>[3]) => {
    const tried: number[][] = [];
    const found = await minimize(
      [1, 2, 3, 4],
      removeEach,
      async (candidate) => {
        tried.push(candidate);
        return candidate.includes(3);
      },
      budget,
    );
    return { found, tried };
  };

  it('returns the last candidate that still fails, in the order of the caller', async () => {
    expect(await search()).toEqual({ found: [3], tried: [[1, 2, 3], [1, 2], [1, 3], [3]] });
  });

  it('tries no more candidates than there are runs', async () => {
    expect(await search({ runs: 2 })).toEqual({
      found: [1, 2, 3],
      tried: [
        [1, 2, 3],
        [1, 2],
      ],
    });
    expect((await search({ runs: 0 })).found).toEqual([1, 2, 3, 4]);
  });

  it('stops when the time is over', async () => {
    let asked = 0;
    expect((await search({ runs: 9, isOver: () => ++asked > 3 })).found).toEqual([1, 3]);
  });

  it('returns the value if no candidate fails', async () => {
    const value = [1, 2];
    expect(await minimize(value, removeEach, async () => false)).toBe(value);
  });
});
