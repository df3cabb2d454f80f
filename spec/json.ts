export type Fields = Readonly<Record<string, unknown>>;

/** The value if it is a JSON object. */
export function toFields(value: unknown): Fields | undefined {
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Fields) : undefined;
}

/** The own field of that name; undefined if the value is not an object. */
export function readField(value: unknown, name: string): unknown {
  const fields = toFields(value);
  return fields !== undefined && Object.hasOwn(fields, name) ? fields[name] : undefined;
}

/** The value of a JSON text; undefined for any other text. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

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

/** Deepest nesting of a JSON body. */
export const DEEPEST_BODY = 64;

/** JSON.parse accepts any depth; the recursive code after it does not. */
export function isTooDeep(value: unknown, levels = DEEPEST_BODY): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  for (const each of Object.values(value)) if (isTooDeep(each, levels - 1)) return true;
  return false;
}
