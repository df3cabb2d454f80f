/** Deepest nesting of a JSON body. */
export const DEEPEST_BODY = 64;

/** JSON.parse accepts any depth; the recursive code after it does not. */
export function isTooDeep(value: unknown, levels = DEEPEST_BODY): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  for (const each of Object.values(value)) if (isTooDeep(each, levels - 1)) return true;
  return false;
}
