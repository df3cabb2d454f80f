import { hashOf } from '../../../spec/hash.js';

/** One of `of` parts of the space, from 1. */
export interface Shard {
  part: number;
  of: number;
}

/** Throws TypeError where there is no such part. */
export function checkShard({ part, of }: Shard): void {
  const isWhole = Number.isSafeInteger(part) && Number.isSafeInteger(of);
  if (isWhole && of >= 1 && part >= 1 && part <= of) return;
  throw new TypeError(`shard: expected a part from 1 to the number of parts, 2/4 say, found ${part}/${of}`);
}

/**
 * True when a schedule belongs to this part. Every schedule belongs to exactly one, whatever found it; the default of
 * a scenario (no deviation) is run by all.
 */
export function isMine(text: string, deviations: number, shard: Shard | undefined): boolean {
  return (
    shard === undefined || shard.of === 1 || deviations === 0 || hashOf(text) % shard.of === shard.part - 1
  );
}
