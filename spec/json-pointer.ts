/** The keys of a JSON pointer, unescaped (RFC 6901). */
export function parsePointer(pointer: string): string[] {
  const keys = pointer.split('/').slice(1);
  return keys.map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The pointer to a child of the value that `pointer` leads to. */
export function appendPointer(pointer: string, key: string | number): string {
  return `${pointer}/${typeof key === 'number' ? key : key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

export function findByPointer(root: unknown, pointer: string): unknown {
  let found = root;
  for (const key of parsePointer(pointer)) {
    const isThere = found !== null && typeof found === 'object' && Object.hasOwn(found, key);
    found = isThere ? (found as Record<string, unknown>)[key] : undefined;
  }
  return found;
}
