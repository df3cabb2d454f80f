/** Copies plain data, and replaces the values of the fields with these names at any depth. */
export function mapFields<T>(value: T, names: ReadonlySet<string>, map: (value: unknown) => unknown): T;
export function mapFields(
  value: unknown,
  names: ReadonlySet<string>,
  map: (value: unknown) => unknown,
): unknown {
  if (Array.isArray(value)) return value.map((each) => mapFields(each, names, map));
  if (!isPlainObject(value)) return value;
  const fields = Object.entries(value).map(([name, each]) => {
    const copy: unknown = mapFields(each, names, map);
    return [name, names.has(name) ? map(copy) : copy];
  });
  return Object.fromEntries(fields);
}

function isPlainObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
