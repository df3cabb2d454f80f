import { isSameJson, toFields } from '../../conversation/json.js';

/**
 * How a value was changed, in words that are the same for every value: `a text became a number`. Undefined if it seems to be another value
 * altogether. Within an object or a list, what is around it shows that it is the same value.
 */
export function describeValueChange(expected: unknown, actual: unknown): string | undefined {
  if (typeof actual === 'string' && actual === JSON.stringify(expected)) return TO_TEXT;
  if (expected === null) return undefined;
  if (typeof expected === 'string' && typeof actual === 'string' && !isSimilar(expected, actual))
    return undefined;
  if (typeof expected === 'number' && typeof actual === 'number' && Math.abs(expected - actual) >= 1)
    return undefined;
  return describeChange(expected, actual);
}

const TO_TEXT = 'a value became a text';

function describeChange(expected: unknown, actual: unknown): string {
  if (Array.isArray(expected) && Array.isArray(actual)) {
    if (expected.length !== actual.length) return 'a list has another length';
    const at = expected.findIndex((member, index) => !isSameJson(member, actual[index]));
    return describeChange(expected[at], actual[at]);
  }
  const [fields, others] = [toFields(expected), toFields(actual)];
  if (fields && others) return describeFieldChange(fields, others);
  if (actual === null && !expected) return 'an empty value became null';
  const [was, is] = [nameType(expected), nameType(actual)];
  if (was !== is) return typeof actual === 'string' ? TO_TEXT : `${was} became ${is}`;
  return typeof expected === 'string'
    ? describeTextChange(expected, actual as string)
    : `${was} became another`;
}

function describeFieldChange(
  expected: Readonly<Record<string, unknown>>,
  actual: Readonly<Record<string, unknown>>,
): string {
  const missing = Object.keys(expected).filter((name) => !Object.hasOwn(actual, name));
  const added = Object.keys(actual).filter((name) => !Object.hasOwn(expected, name));
  if (missing.length > 0) return added.length > 0 ? 'a field was renamed' : 'a field was left out';
  if (added.length > 0) return 'a field was added';
  const different = Object.keys(expected).find((name) => !isSameJson(expected[name], actual[name])) ?? '';
  return describeChange(expected[different], actual[different]);
}

function describeTextChange(expected: string, actual: string): string {
  if (expected.trim() === actual.trim()) return 'blanks at the end of a text were removed';
  return actual !== '' && expected.startsWith(actual)
    ? 'a text was cut'
    : 'characters of a text were replaced';
}

/** Half of the longer one is the same at the beginning and at the end. */
function isSimilar(one: string, other: string): boolean {
  if (one.trim() === other.trim()) return true;
  const shorter = Math.min(one.length, other.length);
  let before = 0;
  while (before < shorter && one[before] === other[before]) before++;
  let after = 0;
  while (after < shorter - before && one.at(-1 - after) === other.at(-1 - after)) after++;
  return 2 * (before + after) >= Math.max(one.length, other.length);
}

function nameType(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return 'a list';
  const names: Partial<Record<string, string>> = {
    string: 'a text',
    number: 'a number',
    boolean: 'a boolean',
  };
  return names[typeof value] ?? 'an object';
}
