import type { Cause } from '../../conformance/causes/check-result.js';
import { createRandom } from '../../mock/generate/random.js';
import type { RequirementId } from '../../spec/generated/documents.js';
import { judgeMutant, listFailed } from './judge.js';
import type { Mutant } from './mutant.js';
import { mutants } from './mutants.js';

const FAULTS = 5;

/** A service with several faults, and what the suite says of it. */
export interface Mixture {
  ids: string[];
  requirements: RequirementId[];
  causes: readonly Cause[];
}

/**
 * Mixtures of five mutants of different requirements, drawn by a seed. One in which a fault cannot show, because another
 * keeps every exchange away that would show it, is drawn again.
 */
export async function* generateMixtures(seed: number, count: number): AsyncGenerator<Mixture> {
  const random = createRandom(seed);
  // Two dialects in one service do not go together.
  const pool = mutants.filter(({ dialect }) => dialect === undefined);
  for (let drawn = 0; drawn < count; ) {
    const chosen: Mutant[] = [];
    while (chosen.length < FAULTS) {
      const next = pool[random.int(0, pool.length - 1)]!;
      if (!chosen.some(({ requirement }) => requirement === next.requirement)) chosen.push(next);
    }
    const requirements = chosen.map(({ requirement }) => requirement);
    const wrap: Mutant['wrap'] = (fetch, context) =>
      chosen.reduce((inner, mutant) => mutant.wrap(inner, context), fetch);
    const report = await judgeMutant({ wrap });
    const failed = new Set(listFailed(report).flatMap(({ covers }) => covers));
    if (!requirements.every((id) => failed.has(id))) continue;
    drawn++;
    yield { ids: chosen.map(({ id }) => id), requirements, causes: report.causes };
  }
}
