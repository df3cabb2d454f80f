import { findNearest } from '../../spec/nearest.js';
import type { Mutant } from './mutant.js';

/** What of a check the telling needs. */
export interface FailedCheck {
  id: string;
  covers: readonly string[];
}

type NamedMutant = Pick<Mutant, 'id' | 'requirement' | 'breaks'>;

/** The mutants whose id has `text` in it. Throws RangeError, which says what may have been meant, where none has. */
export function chooseMutants<M extends NamedMutant>(text: string, mutants: readonly M[]): M[] {
  const chosen = mutants.filter(({ id }) => id.includes(text));
  if (chosen.length > 0) return chosen;
  const ids = mutants.map(({ id }) => id);
  const meant = findNearest(text, ids);
  const advice = meant
    ? `did you mean "${meant}"?`
    : `there are ${ids.length}, such as ${ids.slice(0, 5).join(', ')}; all stand in test/mutants/table.`;
  throw new RangeError(`There is no mutant with "${text}" in its id; ${advice}`);
}

/**
 * What came of a mutant, in lines: the checks of its requirement that failed, and the others. It is noticed only by a check
 * of the requirement that it names: where others notice it, it may name the wrong one.
 */
export function formatResult(
  { id, requirement, breaks }: NamedMutant,
  failed: readonly FailedCheck[],
): { isNoticed: boolean; lines: string[] } {
  const own = failed.filter(({ covers }) => covers.includes(requirement));
  const others = failed.filter((check) => !own.includes(check));
  const elsewhere = [...new Set(others.flatMap(({ covers }) => covers))].sort().join(', ');
  const head =
    own.length > 0
      ? `noticed ${id} (${requirement})`
      : others.length > 0
        ? `noticed under ${elsewhere}, not under ${requirement}: ${id}`
        : `UNNOTICED ${id} (${requirement})`;
  return {
    isNoticed: own.length > 0,
    lines: [
      `${head}: ${breaks}`,
      ...own.map((check) => `  by   ${check.id}`),
      ...others.map((check) => `  also ${check.id}`),
    ],
  };
}
