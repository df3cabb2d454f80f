import { nearest } from '../../spec/nearest.js';

/** What one option has to be. */
export interface Check {
  expected: string;
  holds: (value: unknown) => boolean;
  /** Looks into one that holds. Throws TypeError. */
  inside?: (value: never, place: Place) => void;
}

/** Whose option it is, and where: `createMock`, `limits.exchanges`. */
export interface Place {
  caller: string;
  path: string;
}

/** A check for every option there can be: one that is missing does not compile. */
export type Checks<T> = { readonly [Name in keyof Required<T>]: Check };

export const functionCheck: Check = {
  expected: 'a function',
  holds: (value) => typeof value === 'function',
};
export const textCheck: Check = { expected: 'a text', holds: (value) => typeof value === 'string' };
export const flagCheck: Check = { expected: 'true or false', holds: (value) => typeof value === 'boolean' };
export const durationCheck: Check = { expected: 'a number of ms from 0', holds: (value) => isFrom(0, value) };
export const anything: Check = { expected: 'a value', holds: () => true };

export const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
export const isFrom = (least: number, value: unknown) => typeof value === 'number' && value >= least;
export const wholeFrom = (least: number): Check => ({
  expected: `a whole number from ${least}`,
  holds: (value) => isFrom(least, value) && (Number.isSafeInteger(value) || value === Infinity),
});

/** An object of options with others in it. */
export function objectOf<T>(checks: Checks<T>, expected = 'an object'): Check {
  return {
    expected,
    holds: (value) => isObject(value) && !Array.isArray(value),
    inside: (value, place) => checkFields(value, checks, place),
  };
}

/** The options of `caller`. Throws TypeError for one that does not exist or cannot be: what is only ignored would be found out late. */
export function checkGiven<T>(caller: string, given: unknown, checks: Checks<T>): void {
  if (!isObject(given) || Array.isArray(given))
    throw new TypeError(`${caller}: expected an object of options, got ${shown(given)}.`);
  checkFields(given, checks, { caller, path: '' });
}

/** The same of options within others. */
export function checkFields<T>(given: object, checks: Checks<T>, { caller, path }: Place): void {
  const before = path === '' ? '' : `${path}.`;
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(checks, name)) {
      const names = Object.keys(checks);
      // Files say `time` where code says `time_ms`.
      const meant =
        names.find((each) => /_m?s$/.test(each) && each.startsWith(`${name}_`)) ?? nearest(name, names);
      const advice = meant ? `did you mean "${before}${meant}"?` : `there are ${names.join(', ')}.`;
      throw new TypeError(`${caller}: there is no option "${before}${name.slice(0, 80)}"; ${advice}`);
    }
    if (value !== undefined) checkValue(value, checks[name as keyof T], { caller, path: before + name });
  }
}

export function checkValue(value: unknown, { expected, holds, inside }: Check, place: Place): void {
  if (!holds(value))
    throw new TypeError(
      `${place.caller}: option "${place.path}": expected ${expected}, got ${shown(value)}.`,
    );
  inside?.(value as never, place);
}

function shown(value: unknown): string {
  if (typeof value === 'number') return String(value);
  if (typeof value === 'bigint' || typeof value === 'function') return `a ${typeof value}`;
  try {
    return (JSON.stringify(value) ?? typeof value).slice(0, 200);
  } catch {
    return 'an object that leads back to itself';
  }
}
