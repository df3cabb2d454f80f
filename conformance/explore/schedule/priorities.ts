import type { Candidate } from './candidates.js';

/** Sorts of deviation, those first that have broken most clients. What is not here comes behind. */
const TELLING = [
  'redeliver poll',
  'response-lost reply',
  'limited poll',
  'at-once',
  'same-instant',
  'limited reply',
  'response-lost create',
  'repeat poll',
  'unavailable reply',
  'shuffle poll',
  'hold-step',
  'reshape poll',
  'reissue',
  'unavailable poll',
  'limited action',
  'limited create',
  'response-lost action',
  'request-lost reply',
  'garble poll',
  'response-lost poll',
  'hold-answer action',
  'hold-answer reply',
  'truncate poll',
  'unavailable action',
  'unavailable create',
  'request-lost action',
  'late-answer reply',
  'late-answer action',
  'hold-request reply',
  'hold-request action',
  'delay reply',
  'delay poll',
  'hold-answer poll',
  'hold-request poll',
  'garble reply',
  'request-lost create',
];
const rank = new Map(TELLING.map((sort, index) => [sort, index]));

/** How telling a sort is; 0 is the most. */
export function rankOf(sort: string): number {
  return rank.get(sort) ?? TELLING.length;
}

/**
 * Whose turn it is: the first of every sort before the second of any, so that the beginning of a search has something of
 * everything. Low numbers come first. `nth`: how many of its sort the run has before it.
 */
export function turnOf({ sort }: Candidate, nth: number): number {
  return nth * (TELLING.length + 1) + rankOf(sort);
}

/** Turn of each candidate, in their order. Of several polls the first comes second: most clients take more care of it. */
export function turnsOf(candidates: readonly Candidate[]): number[] {
  const all = new Map<string, number>();
  for (const { sort } of candidates) all.set(sort, (all.get(sort) ?? 0) + 1);
  const count = new Map<string, number>();
  return candidates.map((candidate) => {
    const { sort } = candidate;
    const nth = count.get(sort) ?? 0;
    count.set(sort, nth + 1);
    const isSwapped = sort.endsWith(' poll') && nth < 2 && all.get(sort)! > 1;
    return turnOf(candidate, isSwapped ? 1 - nth : nth);
  });
}
