import { isDeepStrictEqual } from 'node:util';
import { field } from '../../conversation/json.js';

/** Equal as JSON; undefined and null are the same. */
export function isSame(one: unknown, other: unknown): boolean {
  return one === other || isDeepStrictEqual(one ?? null, other ?? null);
}

/** The output of a result as a client may report it: as it came, or what is inside where it came with figures around it. */
export function isOutputOf(reported: unknown, came: unknown): boolean {
  if (isSame(reported, came)) return true;
  const hasFigures = field(came, 'credits_used') !== undefined || field(came, 'duration') !== undefined;
  return hasFigures && isSame(reported, field(came, 'output'));
}

/** The items by their key, in their order. */
export function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    groups.set(key, [...(groups.get(key) ?? []), item]);
  }
  return groups;
}
