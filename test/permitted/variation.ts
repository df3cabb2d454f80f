import type { Mutant, MutantContext } from '../mutants/mutant.js';
import { type Interception, wrapWith } from '../mutants/operators/make.js';

/** A service that differs from the mock in something that the description permits: the suite must fail nothing of it. */
export interface Variation extends Pick<Mutant, 'wrap' | 'dialect'> {
  /** Continues "a service that". */
  readonly name: string;
  /** Checks that pass at least; fewer than of the mock itself where the variation shows less. */
  readonly passes: number;
}

/** The mock as it is passes some 840 checks. */
const MOST = 825;

/** Several at once, the first one nearest to the mock. */
export function combineVariations(name: string, ...all: readonly Variation[]): Variation {
  return {
    name,
    passes: Math.min(...all.map(({ passes }) => passes)),
    wrap: (fetch, context) => all.reduce((inner, { wrap }) => wrap(inner, context), fetch),
  };
}

export function variation(
  name: string,
  make: (context: MutantContext) => Interception,
  passes = MOST,
  dialect: Mutant['dialect'] = {},
): Variation {
  return { name, passes, dialect, wrap: wrapWith(make) };
}
