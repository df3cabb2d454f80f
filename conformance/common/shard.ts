/** One of `of` parts of a run, from 1. */
export interface Shard {
  part: number;
  of: number;
}

/** Whether the item with this number, from 1, belongs to the shard. Neighbours belong to different ones. */
export function isOfShard(number: number, shard: Shard | undefined): boolean {
  return shard === undefined || (number - 1) % shard.of === shard.part - 1;
}

/** The items of the shard. Every item belongs to exactly one. */
export function selectShard<T>(items: readonly T[], shard: Shard | undefined): T[] {
  return items.filter((_, index) => isOfShard(index + 1, shard));
}

/** How many of the numbers 1 to `most` belong to the shard. */
export function countOfShard(most: number, shard: Shard | undefined): number {
  return shard === undefined ? most : Math.max(0, Math.ceil((most - shard.part + 1) / shard.of));
}

/** Throws TypeError for a part that there is not. */
export function checkShard(shard: Shard | undefined): void {
  if (!shard) return;
  const { part, of } = shard;
  if (Number.isSafeInteger(part) && Number.isSafeInteger(of) && part >= 1 && part <= of) return;
  throw new TypeError(`shard: expected a part from 1 to the number of parts, 2/4 say, found ${part}/${of}`);
}
