import type { Keyword, Keywords } from './evaluation.js';
import { isEqual } from './schema.js';

/** Tolerance for `multipleOf`: 19.99 counts as a multiple of 0.01 although binary fractions say otherwise. */
const TOLERANCE = 1e-9;

const limit =
  (keyword: string, sign: string, holds: (value: number, bound: number) => boolean): Keyword =>
  (evaluation, instance, bound: number) =>
    holds(instance.value as number, bound) ||
    evaluation.fail(instance, keyword, `must be ${sign} ${bound}`, { comparison: sign, limit: bound });

/** Bounds of a length or a number of items, by the keyword that begins with `max` or `min`. */
export const size =
  (keyword: string, unit: string, sizeOf: (value: never) => number): Keyword =>
  (evaluation, instance, bound: number) => {
    const isMax = keyword.startsWith('max');
    const found = sizeOf(instance.value as never);
    return (
      (isMax ? found <= bound : found >= bound) ||
      evaluation.fail(instance, keyword, `must NOT have ${isMax ? 'more' : 'fewer'} than ${bound} ${unit}`, {
        limit: bound,
      })
    );
  };

const format: Keyword = (evaluation, instance, name: string) =>
  evaluation.isOfFormat(instance.value as string, name) ||
  evaluation.fail(instance, 'format', `must match format "${name}"`, { format: name });

const multipleOf: Keyword = (evaluation, instance, of: number) => {
  const times = (instance.value as number) / of;
  return (
    Math.abs(Math.round(times) - times) <= TOLERANCE ||
    evaluation.fail(instance, 'multipleOf', `must be multiple of ${of}`, { multipleOf: of })
  );
};

const pattern: Keyword = (evaluation, instance, source: string) =>
  evaluation.pattern(source).test(instance.value as string) ||
  evaluation.fail(instance, 'pattern', `must match pattern "${source}"`, { pattern: source });

const constant: Keyword = (evaluation, instance, value: unknown) =>
  isEqual(instance.value, value) ||
  evaluation.fail(instance, 'const', 'must be equal to constant', { allowedValue: value });

const enumeration: Keyword = (evaluation, instance, allowedValues: unknown[]) =>
  allowedValues.some((value) => isEqual(instance.value, value)) ||
  evaluation.fail(instance, 'enum', 'must be equal to one of the allowed values', { allowedValues });

function characters(text: string): number {
  let points = 0;
  for (const _ of text) points++;
  return points;
}

export const NUMBER_KEYWORDS: Keywords = [
  ['maximum', limit('maximum', '<=', (value, bound) => value <= bound)],
  ['minimum', limit('minimum', '>=', (value, bound) => value >= bound)],
  ['exclusiveMaximum', limit('exclusiveMaximum', '<', (value, bound) => value < bound)],
  ['exclusiveMinimum', limit('exclusiveMinimum', '>', (value, bound) => value > bound)],
  ['multipleOf', multipleOf],
  ['format', format],
];

export const STRING_KEYWORDS: Keywords = [
  ['maxLength', size('maxLength', 'characters', characters)],
  ['minLength', size('minLength', 'characters', characters)],
  ['pattern', pattern],
  ['format', format],
];

/** Keywords for values of any type. */
export const ANY_KEYWORDS: Keywords = [
  ['const', constant],
  ['enum', enumeration],
];
