const LONGEST = 60;

/** A value for a message: JSON, truncated. */
export function show(value: unknown): string {
  if (value === undefined || value === null) return 'nothing';
  if (typeof value === 'number') return String(value);
  const text = stringify(value);
  if (text === undefined) return `a ${typeof value}`;
  if (text.length <= LONGEST) return text;
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === 'object') return `a mapping with ${Object.keys(value).slice(0, 6).join(', ')}`;
  return `${text.slice(0, LONGEST - 4)}..."`;
}

/** Undefined for what JSON has no form for. */
function stringify(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return typeof value === 'object' ? 'an object that refers to itself' : undefined;
  }
}

/** A JSON value for a message, null as such, cut to at most `most` characters. */
export function showJson(value: unknown, most = 60): string {
  return truncateText(value === undefined ? 'nothing' : (JSON.stringify(value) ?? typeof value), most);
}

/** The text, cut to at most `most` characters. */
export function truncateText(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 3)}...` : text;
}

/** Text in quotes, shortened, as it may stand in a message. */
export function quote(text: string): string {
  return JSON.stringify(truncateText(text, 80));
}
