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

/** The highest rate and bound taken: far beyond what one machine serves. */
const MOST = 1_000_000_000;

/** A port number, 0 for any free one. */
export function port(text: string): number {
  return wholeNumber(text, 0, 65_535);
}

/** How many of something are kept: at least 1. */
export function bound(text: string): number {
  return wholeNumber(text, 1, MOST);
}

/** A number above 0, such as 10 or 0.5. */
export function positive(text: string): number {
  const value = /^\d*\.?\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!(value > 0) || value > MOST)
    throw new InvalidArgumentError('Expected a number above 0, such as 10 or 0.5.');
  return value;
}

/** Requests a second: `20/s`, or `20`. */
export function rate(text: string): number {
  const value = Number(/^(\d+)(?:\/s)?$/.exec(text)?.[1]);
  if (!(value >= 1 && value <= 100_000)) {
    throw new InvalidArgumentError('Expected requests a second, 1/s to 100000/s, such as 20/s.');
  }
  return value;
}

/** A secret that is not empty: a variable that is empty by mistake must not open a door. */
export function token(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('Expected a token of at least a character.');
  return text;
}

/** An address of http or https, with no slash at its end: paths are written behind it. */
export function origin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') {
    throw new InvalidArgumentError('Expected an address such as http://mock:4010.');
  }
  return url.href.replace(/\/+$/, '');
}

/** Schedules, at most: a year of them. */
const MOST_SCHEDULES = 1_000_000_000;
const MOST_DEVIATIONS = 4;
const MOST_SHARDS = 10_000;

export function schedules(text: string): number {
  return wholeNumber(text, 1, MOST_SCHEDULES);
}

export function deviations(text: string): number {
  return wholeNumber(text, 0, MOST_DEVIATIONS);
}

/** `2/4`: the second of four parts. */
export function shard(text: string): { part: number; of: number } {
  const [, part, of] = /^(\d+)\/(\d+)$/.exec(text) ?? [];
  const found = { part: Number(part), of: Number(of) };
  if (!(found.part >= 1 && found.part <= found.of && found.of <= MOST_SHARDS)) {
    throw new InvalidArgumentError('Expected PART/OF, such as 2/4 for the second of four parts.');
  }
  return found;
}

/** The given options without those that are undefined: a default applies to them. */
export function definedOnly<T extends object>(options: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
