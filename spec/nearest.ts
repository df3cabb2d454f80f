/**
 * The nearest candidate, for "did you mean"; undefined if more than a third of the letters differ.
 */
export function findNearest(typed: string, candidates: Iterable<string>): string | undefined {
  let best: string | undefined;
  let least = Math.max(2, Math.floor(typed.length / 3)) + 1;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - typed.length) >= least) continue;
    const distance = computeEditDistance(typed, candidate);
    if (distance < least) {
      least = distance;
      best = candidate;
    }
  }
  return best;
}

/** The end of a message about an unknown name: the nearest name, or `otherwise`. */
export function formatSuggestion(typed: unknown, candidates: Iterable<string>, otherwise = ''): string {
  const meant = typeof typed === 'string' ? findNearest(typed, candidates) : undefined;
  const advice = meant === undefined ? otherwise : `did you mean ${meant}?`;
  return advice && `; ${advice}`;
}

/** Letters to insert, remove or replace to turn one text into the other. */
function computeEditDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const replaced = row[j - 1]! + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[to.length]!;
}
