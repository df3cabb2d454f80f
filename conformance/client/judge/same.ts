import { isDeepStrictEqual } from 'node:util';
import { field } from '../../conversation/json.js';

/** Equal as JSON; nothing and null are the same. */
export function same(one: unknown, other: unknown): boolean {
  return one === other || isDeepStrictEqual(one ?? null, other ?? null);
}

/** The output of a result as a client may report it: as it came, or what is inside where it came with figures around it. */
export function isOutputOf(reported: unknown, came: unknown): boolean {
  if (same(reported, came)) return true;
  const figures = field(came, 'credits_used') !== undefined || field(came, 'duration') !== undefined;
  return figures && same(reported, field(came, 'output'));
}
