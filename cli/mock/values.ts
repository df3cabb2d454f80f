import { InvalidArgumentError } from 'commander';
import { wholeNumber } from '../values.js';

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
