/** Data from outside that is not what was expected. The message names the place. */
export class ShapeError extends Error {
  constructor(
    /** `tasks[2].status`; empty for the whole. */
    readonly place: string,
    readonly expected: string,
    got: unknown,
  ) {
    super(`${place === '' ? 'this' : place}: expected ${expected}, got ${show(got)}`);
    this.name = 'ShapeError';
  }
}

/** Holds a value against an expectation. Throws ShapeError with the first thing that is wrong. */
export type Check = (value: unknown, place: string) => void;

export const anything: Check = () => {};

export const text: Check = (value, place) => {
  if (typeof value !== 'string') throw new ShapeError(place, 'a text', value);
};

/** A text that is not empty, of at most `longest` characters. */
export function name(longest = 1024): Check {
  return (value, place) => {
    if (typeof value === 'string' && value !== '' && value.length <= longest) return;
    throw new ShapeError(place, `a text of 1 to ${longest} characters`, value);
  };
}

export const bool: Check = (value, place) => {
  if (typeof value !== 'boolean') throw new ShapeError(place, 'true or false', value);
};

export const object: Check = (value, place) => {
  if (!isObject(value)) throw new ShapeError(place, 'an object', value);
};

export function number(min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY): Check {
  return (value, place) => {
    if (typeof value === 'number' && value >= min && value <= max) return;
    throw new ShapeError(place, `a number${bounds(min, max)}`, value);
  };
}

export function integer(min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER): Check {
  return (value, place) => {
    if (Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max) return;
    throw new ShapeError(place, `a whole number${bounds(min, max)}`, value);
  };
}

export function oneOf(...choices: readonly (string | number)[]): Check {
  return (value, place) => {
    if (choices.includes(value as string)) return;
    throw new ShapeError(
      place,
      `one of ${choices.map((choice) => JSON.stringify(choice)).join(', ')}`,
      value,
    );
  };
}

export function orNull(check: Check): Check {
  return (value, place) => {
    if (value !== null) check(value, place);
  };
}

/** For fields that may be left out. */
export function optional(check: Check): Check {
  return (value, place) => {
    if (value !== undefined) check(value, place);
  };
}

export function list(check: Check): Check {
  return (value, place) => {
    if (!Array.isArray(value)) throw new ShapeError(place, 'a list', value);
    value.forEach((item, index) => {
      check(item, `${place}[${index}]`);
    });
  };
}

/** A list of `[id, value]`. */
export function entries(check: Check): Check {
  return list((value, place) => {
    if (!Array.isArray(value) || value.length !== 2) throw new ShapeError(place, 'a pair [id, value]', value);
    text(value[0], `${place}[0]`);
    check(value[1], `${place}[1]`);
  });
}

/** An object with these fields; others are refused where `exact`, else passed over. */
export function fields(checks: Readonly<Record<string, Check>>, exact = false): Check {
  return (value, place) => {
    object(value, place);
    const given = value as Record<string, unknown>;
    for (const [field, check] of Object.entries(checks)) {
      check(
        Object.hasOwn(given, field) ? given[field] : undefined,
        place === '' ? field : `${place}.${field}`,
      );
    }
    if (!exact) return;
    const stray = Object.keys(given).find((field) => !Object.hasOwn(checks, field));
    if (stray === undefined) return;
    const known = Object.keys(checks).join(', ');
    throw new ShapeError(place, known === '' ? 'no fields' : `no other fields than ${known}`, stray);
  };
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

function bounds(min: number, max: number): string {
  const low = min > Number.MIN_SAFE_INTEGER ? ` from ${min}` : '';
  return max < Number.MAX_SAFE_INTEGER ? `${low} to ${max}` : low === '' ? '' : `${low} up`;
}

/** The value as a person can read it: long ones by their kind. */
function show(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (isObject(value)) return 'an object';
  const shown = typeof value === 'string' ? JSON.stringify(value) : String(value);
  return shown.length > 60 ? `${shown.slice(0, 57)}...` : shown;
}
