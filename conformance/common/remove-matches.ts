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
