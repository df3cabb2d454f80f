import { InvalidArgumentError } from 'commander';
import { wholeNumber } from '../values.js';

/** Schedules, at most: a year of them. */
const MOST_SCHEDULES = 1_000_000_000;
const MOST_DEVIATIONS = 4;
const MOST_SHARDS = 10_000;

export function schedules(text: string): number {
  return wholeNumber(text, 1, MOST_SCHEDULES);
}

export function deviations(text: string): number {
  return wholeNumber(text, 0, MOST_DEVIATIONS);
}

/** `2/4`: the second of four parts. */
export function shard(text: string): { part: number; of: number } {
  const [, part, of] = /^(\d+)\/(\d+)$/.exec(text) ?? [];
  const found = { part: Number(part), of: Number(of) };
  if (!(found.part >= 1 && found.part <= found.of && found.of <= MOST_SHARDS)) {
    throw new InvalidArgumentError('Expected PART/OF, such as 2/4 for the second of four parts.');
  }
  return found;
}
