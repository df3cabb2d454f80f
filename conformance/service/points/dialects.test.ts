import { describe, expect, it } from 'vitest';
import { allProbes } from '../all-probes.js';
import {
  combinations,
  complaintsOf,
  everyChoice,
  judgeDialect,
  namedDialects,
} from './test-support/dialects.js';

/** The whole suite finds nothing wrong in a service that chose otherwise. */
describe('no dialect is failed', () => {
  it('with every choice as the mock makes it by itself', async () => {
    expect(complaintsOf(await judgeDialect({}, allProbes))).toEqual([]);
  });

  it.each(everyChoice.filter(({ choice, usual }) => choice !== usual))('$point: $choice', async (one) => {
    expect(complaintsOf(await judgeDialect({ [one.point]: one.choice }, allProbes))).toEqual([]);
  });

  it.each(namedDialects)('$name', async ({ name }) => {
    expect(complaintsOf(await judgeDialect(name, allProbes))).toEqual([]);
  });

  it.each(combinations)('every point at once: $name', async ({ choices }) => {
    expect(complaintsOf(await judgeDialect(choices, allProbes))).toEqual([]);
  });
});
