import { describe, expect, it } from 'vitest';
import { casesOf, failures, judged } from './judge.js';
import type { Mutant } from './mutant.js';

/** One test for each mutant: a check that covers the rule it breaks has to fail. */
export function holdMutants(name: string, mutants: readonly Mutant[]): void {
  describe(`mutants of ${name}`, () => {
    it.each(mutants.map((mutant) => [mutant.id, mutant] as const))('%s is noticed', async (_, mutant) => {
      const { requirement } = mutant;
      let report = await judged(mutant, { cases: casesOf(requirement), until: requirement });
      // What the agent improvises differs with what was asked before: the occasion may come in another place.
      if (failures(report).every(({ covers }) => !covers.includes(requirement)))
        report = await judged(mutant, { until: requirement });
      expect(report.faults).toEqual([]);
      const found = failures(report);
      const killers = found.filter(({ covers }) => covers.includes(requirement));
      const seen = `${mutant.breaks} Expected a check of ${requirement} to fail; failed: ${found.map(({ id }) => id).join(', ') || 'none'}`;
      expect(killers.length, seen).toBeGreaterThan(0);
    });
  });
}
