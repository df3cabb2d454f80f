/** What to try, in this order. Each `yield` returns whether the candidate still fails; the next ones derive from it. */
export type Candidates<T> = Generator<T, void, boolean>;

export interface Budget {
  /** Most candidates to try. */
  runs: number;
  /** The time is over, or the caller stops: no further candidate is tried. */
  isOver?: () => boolean;
}

/** Returns the last candidate that still fails within the budget, or `value` if none does. */
export async function minimize<T>(
  value: T,
  listCandidates: (value: T) => Candidates<T>,
  stillFails: (candidate: T) => Promise<boolean>,
  { runs, isOver = () => false }: Budget = { runs: Number.POSITIVE_INFINITY },
): Promise<T> {
  let best = value;
  const candidates = listCandidates(value);
  let next = candidates.next();
  for (let run = 0; run < runs && !isOver() && !next.done; run++) {
    const isFailing = await stillFails(next.value);
    if (isFailing) best = next.value;
    next = candidates.next(isFailing);
  }
  return best;
}
