import { least, most, NONE } from './bounds.js';
import type { Conjunction } from './conjunction.js';
import type { Random } from './random.js';
import { rangeFor } from './text/names.js';

const TRIES = 30;

/** A number that fits the schemas, or NONE. Without bounds it lies where numbers of that name usually do. */
export function generateNumber(
  { schemas, excluded }: Conjunction,
  integer: boolean,
  name: string,
  random: Random,
): number | typeof NONE {
  const usual = rangeFor(name);
  const int32 = schemas.some(({ format }) => format === 'int32');
  const whole = integer || schemas.some(({ format }) => format === 'int32' || format === 'int64');
  let low = most(schemas, 'minimum', int32 ? -(2 ** 31) : Number.NEGATIVE_INFINITY);
  let high = least(schemas, 'maximum', int32 ? 2 ** 31 - 1 : Number.POSITIVE_INFINITY);
  const above = most(schemas, 'exclusiveMinimum', Number.NEGATIVE_INFINITY);
  const under = least(schemas, 'exclusiveMaximum', Number.POSITIVE_INFINITY);
  const open = { low: above >= low, high: under <= high };
  low = Math.max(low, above);
  high = Math.min(high, under);
  // What is not bounded stays near the usual, or near the one bound there is.
  const width = Math.max(usual.max - usual.min, 1);
  const [lowGiven, highGiven] = [low, high];
  if (low < usual.min) low = Math.max(low, usual.min <= high ? usual.min : high - width);
  if (high > usual.max) high = Math.min(high, usual.max >= low ? usual.max : low + width);

  const steps = schemas.flatMap(({ multipleOf }) => (multipleOf === undefined ? [] : [multipleOf]));
  if (whole && !steps.every(Number.isInteger)) steps.push(1);
  const step = steps.length > 0 ? steps.reduce(commonMultiple) : whole ? 1 : undefined;
  const fits = (value: number) =>
    Number.isFinite(value) &&
    (open.low ? value > lowGiven : value >= lowGiven) &&
    (open.high ? value < highGiven : value <= highGiven) &&
    (!whole || Number.isInteger(value)) &&
    steps.every((one) => Number.isInteger(value / one)) &&
    !excluded.has(String(value));
  if (step !== undefined && step > high - low) {
    // The usual range may hold no multiple where the given one does.
    low = Math.max(lowGiven, -step * 100, high - step * 100);
    high = Math.min(highGiven, low + step * 200);
  }
  const turn = step === undefined ? 0 : random.int(0, TRIES - 1);
  for (let i = 0; i < TRIES * 2; i++) {
    const value =
      step === undefined
        ? between(low, high, i < TRIES ? usual.decimals : -1, random)
        : multiple(low, high, step, turn + i, random);
    if (fits(value)) return value === 0 ? 0 : value;
  }
  return [low, high, lowGiven, highGiven, 0, (low + high) / 2].find(fits) ?? NONE;
}

function between(low: number, high: number, decimals: number, random: Random): number {
  // Written so that the whole range of doubles does not overflow.
  const share = random.next();
  const value = low * (1 - share) + high * share;
  return decimals < 0 || Math.abs(value) > 1e15 ? value : Number(value.toFixed(decimals));
}

function multiple(low: number, high: number, step: number, turn: number, random: Random): number {
  const from = Math.ceil(low / step - 1e-9);
  const to = Math.floor(high / step + 1e-9);
  if (!(from <= to)) return Number.NaN;
  // Every multiple in turn in a small range: one of them may be the only one that fits.
  const count =
    to - from < TRIES ? from + (turn % (to - from + 1)) : from + Math.floor(random.next() * (to - from + 1));
  return Number((count * step).toPrecision(15));
}

/** The least common multiple where both are whole after scaling; else the larger one, and the check decides. */
function commonMultiple(a: number, b: number): number {
  const scale = [1, 10, 100, 1_000, 1e4, 1e5, 1e6].find(
    (by) => Number.isInteger(a * by) && Number.isInteger(b * by),
  );
  if (scale === undefined) return Math.max(a, b);
  let [x, y] = [a * scale, b * scale];
  while (y > 0) [x, y] = [y, x % y];
  return ((a * scale) / x) * b;
}
