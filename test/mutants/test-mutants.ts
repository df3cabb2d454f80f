import { describe, expect, it } from 'vitest';
import { judgeMutant, listCases, listFailed } from './judge.js';
import type { Mutant } from './mutant.js';

/** One test for each mutant: a check that covers the rule it breaks has to fail. */
export function testMutants(name: string, mutants: readonly Mutant[]): void {
  describe(`mutants of ${name}`, () => {
    it.each(mutants.map((mutant) => [mutant.id, mutant] as const))('%s is noticed', async (_, mutant) => {
      const { requirement } = mutant;
      let report = await judgeMutant(mutant, { cases: listCases(requirement), until: requirement });
      // What the agent improvises differs with what was asked before: the occasion may come in another place.
      if (listFailed(report).every(({ covers }) => !covers.includes(requirement)))
        report = await judgeMutant(mutant, { until: requirement });
      expect(report.faults).toEqual([]);
      const found = listFailed(report);
      const killers = found.filter(({ covers }) => covers.includes(requirement));
      const seen = `${mutant.breaks} Expected a check of ${requirement} to fail; failed: ${found.map(({ id }) => id).join(', ') || 'none'}`;
      expect(killers.length, seen).toBeGreaterThan(0);
    });
  });
}
