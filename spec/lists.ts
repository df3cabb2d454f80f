export function groupBy<T, K>(items: readonly T[], readKey: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const key = readKey(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

/** The first item of each key. */
export function uniqueBy<T, K>(items: readonly T[], readKey: (item: T) => K): T[] {
  return [...groupBy(items, readKey).values()].map(([first]) => first!);
}

/** Number of items before the first that does not pass. All items that pass must come first. */
export function countUntil<T>(items: readonly T[], passes: (item: T) => boolean): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (passes(items[middle]!)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Removes a partner of each item from `open`, and returns the items that have none. */
export function removeMatches<T, P>(
  items: readonly T[],
  open: P[],
  isMatch: (item: T, partner: P) => boolean,
): T[] {
  return items.filter((item) => {
    const at = open.findIndex((partner) => isMatch(item, partner));
    if (at !== -1) open.splice(at, 1);
    return at === -1;
  });
}
