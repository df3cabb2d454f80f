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
