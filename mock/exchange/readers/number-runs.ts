import type { Exchange } from '../../../spec/vocabulary.js';

/**
 * The run of each exchange, from 0. A file to which several runs were appended has several: each begins with a `seq` that its organisation
 * already had. Organisations of different runs are different, even with the same name.
 */
export function numberRuns(exchanges: readonly Pick<Exchange, 'organisation' | 'seq'>[]): number[] {
  let run = 0;
  let seen = new Map<string, Set<number>>();
  return exchanges.map(({ organisation, seq }) => {
    if (seen.get(organisation)?.has(seq)) {
      run++;
      seen = new Map();
    }
    const seqs = seen.get(organisation) ?? new Set();
    seen.set(organisation, seqs.add(seq));
    return run;
  });
}
