/** The keys of a JSON pointer, unescaped (RFC 6901). */
export function keysOf(pointer: string): string[] {
  const keys = pointer.split('/').slice(1);
  return keys.map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** What a JSON pointer leads to; undefined where that is nothing. */
export function valueAt(root: unknown, pointer: string): unknown {
  let found = root;
  for (const key of keysOf(pointer)) {
    const isThere = found !== null && typeof found === 'object' && Object.hasOwn(found, key);
    found = isThere ? (found as Record<string, unknown>)[key] : undefined;
  }
  return found;
}
