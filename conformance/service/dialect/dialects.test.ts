import { describe, expect, it } from 'vitest';
import {
  combinations,
  findCulprits,
  judgeDialect,
  listFailures,
} from '../../../test/support/dialect/dialects.js';
import { allCases } from '../all-cases.js';

const listFindings = async (choices: Record<string, string>) =>
  listFailures(await judgeDialect(choices, allCases));

/** One choice of each point; the deep suite takes every choice, four at a time. */
describe('no dialect is failed', () => {
  it.each(combinations.slice(0, 1))('$name', async ({ choices }) => {
    const found = await listFindings(choices);
    const cause =
      found.length > 0 ? await findCulprits(choices, async (some) => !(await listFindings(some)).length) : {};
    expect(found, `fails with ${JSON.stringify(cause)}`).toEqual([]);
  });
});

describe('the search for the choices that make a combination fail', () => {
  const all = Object.fromEntries([...'abcdefghijk'].map((name) => [name, '1']));

  it.each([['a'], ['k'], ['c', 'j'], ['a', 'b', 'k']])('finds %s', async (...wanted) => {
    const isFine = async (choices: Record<string, string>) => !wanted.every((name) => name in choices);
    expect(Object.keys(await findCulprits(all, isFine))).toEqual(wanted);
  });
});
