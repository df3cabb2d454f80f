import { expect, it, vi } from 'vitest';
import { generators } from '../../mock/api/generators.js';
import { createRandom } from '../../mock/generate/random.js';

/** Finds a value once, and then none any more: what an unlucky seed comes to. */
vi.mock('../../mock/generate/generate.js', async (original) => {
  const generate = vi
    .fn(() => ({ problem: { pointer: '', expected: 'luck', got: 'none' } }) as object)
    .mockReturnValueOnce({ value: { ids: [1, 2] } });
  return { ...(await original<object>()), generate };
});

it('falls back to the value found when the schema came, each time a copy of it', () => {
  const { findProblem: problem, generateValue: value } = generators;
  const schema = { type: 'object' };
  expect(problem(schema)).toBeUndefined();
  const first = value(schema, createRandom(1)) as { ids: number[] };
  expect(first).toEqual({ ids: [1, 2] });
  first.ids.push(3);
  expect(value(schema, createRandom(2))).toEqual({ ids: [1, 2] });
});
