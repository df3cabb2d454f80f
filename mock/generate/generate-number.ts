import type { SchemaObject } from '../../spec/json-schema/schema.js';
import { NONE, readLowerBound, readUpperBound } from './generation.js';
import type { Random } from './random.js';
import { findRange } from './text/property-texts.js';

const TRIES = 30;

/** A number that satisfies the schemas, or NONE. Without bounds it is within the usual range of numbers with that name. */
export function generateNumber(
  schemas: readonly SchemaObject[],
  isInteger: boolean,
  name: string,
  random: Random,
): number | typeof NONE {
  const usual = findRange(name);
  const int32 = schemas.some(({ format }) => format === 'int32');
  const whole = isInteger || int32 || schemas.some(({ format }) => format === 'int64');
  const lowest = Math.max(
    readLowerBound(schemas, 'minimum', int32 ? -(2 ** 31) : Number.NEGATIVE_INFINITY),
    readLowerBound(schemas, 'exclusiveMinimum', Number.NEGATIVE_INFINITY),
  );
  const highest = Math.min(
    readUpperBound(schemas, 'maximum', int32 ? 2 ** 31 - 1 : Number.POSITIVE_INFINITY),
    readUpperBound(schemas, 'exclusiveMaximum', Number.POSITIVE_INFINITY),
  );
  const excluded = schemas.flatMap((schema) => [schema.exclusiveMinimum, schema.exclusiveMaximum]);
  // A missing bound is replaced by the usual one, or by one near the existing bound.
  const width = Math.max(usual.max - usual.min, 1);
  let low = lowest;
  let high = highest;
  if (low < usual.min) low = Math.max(low, usual.min <= high ? usual.min : high - width);
  if (high > usual.max) high = Math.min(high, usual.max >= low ? usual.max : low + width);

  const steps = schemas.flatMap(({ multipleOf }) => (multipleOf === undefined ? [] : [multipleOf]));
  if (whole && !steps.every(Number.isInteger)) steps.push(1);
  const step = steps.length > 0 ? Math.max(...steps) : whole ? 1 : undefined;
  const isValid = (value: number) =>
    Number.isFinite(value) &&
    value >= lowest &&
    value <= highest &&
    !excluded.includes(value) &&
    (!whole || Number.isInteger(value)) &&
    steps.every((one) => Number.isInteger(value / one));
  if (step !== undefined && step * Math.max(1, steps.length) > high - low) {
    // The usual range may contain no multiple although the given range does.
    low = Math.max(lowest, -step * 100, high - step * 100);
    high = Math.min(highest, low + step * 200);
  }
  const offset = step === undefined ? 0 : random.int(0, TRIES - 1);
  for (let i = 0; i < TRIES * 2; i++) {
    const value =
      step === undefined
        ? pickBetween(low, high, i < TRIES ? usual.decimals : -1, random)
        : pickMultiple(low, high, step, offset + i, random);
    if (isValid(value)) return value === 0 ? 0 : value;
  }
  return [low, high, lowest, highest, 0, (low + high) / 2].find(isValid) ?? NONE;
}

function pickBetween(low: number, high: number, decimals: number, random: Random): number {
  // Written so that the whole range of doubles does not overflow.
  const share = random.next();
  const value = low * (1 - share) + high * share;
  return decimals < 0 || Math.abs(value) > 1e15 ? value : Number(value.toFixed(decimals));
}

function pickMultiple(low: number, high: number, step: number, offset: number, random: Random): number {
  const from = Math.ceil(low / step - 1e-9);
  const to = Math.floor(high / step + 1e-9);
  if (!(from <= to)) return Number.NaN;
  // In a small range, every multiple is tried in turn: only one of them may be valid.
  const count =
    to - from < TRIES
      ? from + (offset % (to - from + 1))
      : from + Math.floor(random.next() * (to - from + 1));
  return Number((count * step).toPrecision(15));
}
