import { isEqual, isObject, type Keyword, type Keywords } from './walk.js';

/** 19.99 is a multiple of 0.01 to everybody but to binary fractions. */
const NEARLY = 1e-9;

const limit =
  (keyword: string, sign: string, holds: (value: number, bound: number) => boolean): Keyword =>
  (walk, place, bound: number) =>
    holds(place.value as number, bound) ||
    walk.fail(place, keyword, `must be ${sign} ${bound}`, { comparison: sign, limit: bound });

const format: Keyword = (walk, place, name: string) =>
  walk.isOfFormat(place.value as string, name) ||
  walk.fail(place, 'format', `must match format "${name}"`, { format: name });

/** Keywords about numbers. */
export const NUMBER: Keywords = [
  ['maximum', limit('maximum', '<=', (value, bound) => value <= bound)],
  ['minimum', limit('minimum', '>=', (value, bound) => value >= bound)],
  ['exclusiveMaximum', limit('exclusiveMaximum', '<', (value, bound) => value < bound)],
  ['exclusiveMinimum', limit('exclusiveMinimum', '>', (value, bound) => value > bound)],
  [
    'multipleOf',
    (walk, place, of: number) => {
      const times = (place.value as number) / of;
      return (
        Math.abs(Math.round(times) - times) <= NEARLY ||
        walk.fail(place, 'multipleOf', `must be multiple of ${of}`, { multipleOf: of })
      );
    },
  ],
  ['format', format],
];

const count =
  (keyword: string, comparison: 'more' | 'fewer', what: string, size: (value: never) => number): Keyword =>
  (walk, place, bound: number) => {
    const there = size(place.value as never);
    return (
      (comparison === 'more' ? there <= bound : there >= bound) ||
      walk.fail(place, keyword, `must NOT have ${comparison} than ${bound} ${what}`, { limit: bound })
    );
  };

const characters = (text: string) => {
  let points = 0;
  for (const _ of text) points++;
  return points;
};

/** Keywords about texts. */
export const STRING: Keywords = [
  ['maxLength', count('maxLength', 'more', 'characters', characters)],
  ['minLength', count('minLength', 'fewer', 'characters', characters)],
  [
    'pattern',
    (walk, place, source: string) =>
      walk.pattern(source).test(place.value as string) ||
      walk.fail(place, 'pattern', `must match pattern "${source}"`, { pattern: source }),
  ],
  ['format', format],
];

export const ITEMS: Keywords = [
  ['maxItems', count('maxItems', 'more', 'items', (list: unknown[]) => list.length)],
  ['minItems', count('minItems', 'fewer', 'items', (list: unknown[]) => list.length)],
];

export const PROPERTIES: Keywords = [
  [
    'maxProperties',
    count('maxProperties', 'more', 'properties', (value: object) => Object.keys(value).length),
  ],
  [
    'minProperties',
    count('minProperties', 'fewer', 'properties', (value: object) => Object.keys(value).length),
  ],
];

/** Keywords about values of any type. */
export const ANY: Keywords = [
  [
    'const',
    (walk, place, value: unknown) =>
      isEqual(place.value, value) ||
      walk.fail(place, 'const', 'must be equal to constant', { allowedValue: value }),
  ],
  [
    'enum',
    (walk, place, values: unknown[]) =>
      values.some((value) => isEqual(place.value, value)) ||
      walk.fail(place, 'enum', 'must be equal to one of the allowed values', { allowedValues: values }),
  ],
];

/** Whether a value is of one of the types that a schema names. */
export function isOfType(
  value: unknown,
  { type, nullable }: { type?: unknown; nullable?: unknown },
): boolean {
  if (type === undefined) return true;
  const types: unknown[] = Array.isArray(type) ? type : [type];
  return types.some((each) => isOf(value, each)) || (nullable === true && value === null);
}

function isOf(value: unknown, type: unknown): boolean {
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isObject(value);
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'number') return Number.isFinite(value);
  return typeof value === type;
}
