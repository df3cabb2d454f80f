/** A copy of a JSON value, down to the last: several times as quick as through its text. Fields that are undefined are left out. */
export function copyOf<T>(value: T): T {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map(copyOf) as T;
  const copy: Record<string, unknown> = {};
  for (const name of Object.keys(value)) {
    const field = (value as Record<string, unknown>)[name];
    if (field === undefined) continue;
    if (name === '__proto__') Object.defineProperty(copy, name, { ...PLAIN, value: copyOf(field) });
    else copy[name] = copyOf(field);
  }
  return copy as T;
}

const PLAIN = { writable: true, enumerable: true, configurable: true };
