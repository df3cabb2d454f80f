import { describe, expect, it } from 'vitest';
import { judgeMutant, listFailed } from '../mutants/judge.js';
import type { Variation } from './variation.js';

/** Each third of many; `VARIATIONS=all` runs all, which takes minutes. */
const STEP = process.env.VARIATIONS === 'all' ? 1 : 3;

/** One test for each variation: the whole suite, rules included, fails none of it and passes about as much as without. */
export function testVariations(what: string, variations: readonly Variation[]): void {
  describe(`${what}: the suite fails nothing of a service that`, () => {
    const some =
      variations.length < 2 * STEP ? variations : variations.filter((_, index) => index % STEP === 0);
    it.each(some.map((each) => [each.name, each] as const))('%s', async (_, { passes, ...service }) => {
      const report = await judgeMutant(service);
      expect(listFailed(report).map(({ id, message }) => `${id}: ${message}`)).toEqual([]);
      expect(report).toMatchObject({ faults: [], left: [] });
      expect(report.summary.passed).toBeGreaterThanOrEqual(passes);
    });
  });
}
