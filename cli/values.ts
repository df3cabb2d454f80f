import { InvalidArgumentError } from 'commander';
import { parseDuration } from '../scenarios/format/duration.js';
import { nearest } from '../spec/nearest.js';

/** Things at a time, at most. */
const MOST_AT_A_TIME = 64;
/** The longest time that can be waited for, ms: a day. */
const LONGEST_MS = 86_400_000;

/** A seed: any whole number that can be read back exactly. */
export function seed(text: string): number {
  return wholeNumber(text, 0, Number.MAX_SAFE_INTEGER);
}

/** For options that may be given several times. */
export function collect(value: string, before: string[] = []): string[] {
  return [...before, value];
}

/** How many go on at a time. */
export function concurrency(text: string): number {
  return wholeNumber(text, 1, MOST_AT_A_TIME);
}

/** ms. */
export function duration(text: string): number {
  const ms = parseDuration(/^\d+$/.test(text) ? Number(text) : text);
  if (!ms || ms > LONGEST_MS) {
    throw new InvalidArgumentError('Expected a duration above 0 and up to a day, such as 300ms, 1.5s or 2m.');
  }
  return ms;
}

/** One of the words there are. `wrong`: what is said of another. */
export function choice<T extends string>(text: string, known: readonly T[], wrong: string): T {
  const found = known.find((each) => each === text);
  if (found === undefined) throw new InvalidArgumentError(unknown(wrong, text, known));
  return found;
}

/** `wrong`, with what may have been meant. */
export function unknown(wrong: string, text: string, known: readonly string[]): string {
  const meant = nearest(text, known);
  return `${wrong}; ${meant ? `did you mean ${meant}?` : `there are ${known.join(', ')}.`}`;
}

export function wholeNumber(text: string, least: number, most: number): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= least && value <= most)) {
    throw new InvalidArgumentError(`Expected a whole number from ${least} to ${most}.`);
  }
  return value;
}
