import { InvalidArgumentError } from 'commander';
import {
  ALLOWANCES,
  type Allowance,
  KEY_NAMES,
  type KeyName,
  SUITES,
  type Suite,
} from '../../conformance/service/probe.js';
import { parseDuration } from '../../scenarios/duration.js';
import { nearest } from '../../spec/nearest.js';
import { Mistake } from '../mistake.js';

/** Probes at a time, at most. */
const MOST_AT_A_TIME = 64;
/** The longest time that can be waited for, ms: a day. */
const LONGEST_MS = 86_400_000;

const MORE_KEYS = KEY_NAMES.filter((name) => name !== 'main');
export type MoreKeys = Partial<Record<Exclude<KeyName, 'main'>, string>>;

/** `other=KEY`, several times. */
export function moreKeys(text: string, before: MoreKeys = {}): MoreKeys {
  const [, name, key] = /^([^=]*)=(.*)$/s.exec(text) ?? [];
  // Not InvalidArgumentError: what was typed is repeated with it, and this is a key.
  if (name === undefined || !key?.trim()) {
    throw new Mistake(`--key: expected NAME=KEY, with NAME one of ${MORE_KEYS.join(', ')}.`);
  }
  const known = MORE_KEYS.find((each) => each === name);
  if (!known) throw new Mistake(`--key: ${unknown(`there is no key "${name}"`, name, MORE_KEYS)}`);
  return { ...before, [known]: key };
}

/** A key: an empty one is mostly a variable that is not set. */
export function apiKey(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('Expected a key; is the variable set?');
  return text;
}

export function suites(text: string, before: Suite[] = []): Suite[] {
  return [...before, choice(text, SUITES, 'there is no such suite')];
}

export function allowances(text: string, before: Allowance[] = []): Allowance[] {
  return [...before, choice(text, ALLOWANCES, 'there is nothing of that name to allow')];
}

export function concurrency(text: string): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= 1 && value <= MOST_AT_A_TIME)) {
    throw new InvalidArgumentError(`Expected a whole number from 1 to ${MOST_AT_A_TIME}.`);
  }
  return value;
}

/** ms. */
export function duration(text: string): number {
  const ms = parseDuration(/^\d+$/.test(text) ? Number(text) : text);
  if (!ms || ms > LONGEST_MS) {
    throw new InvalidArgumentError('Expected a duration above 0 and up to a day, such as 300ms, 1.5s or 2m.');
  }
  return ms;
}

function choice<T extends string>(text: string, known: readonly T[], wrong: string): T {
  const found = known.find((each) => each === text);
  if (found === undefined) throw new InvalidArgumentError(unknown(wrong, text, known));
  return found;
}

function unknown(wrong: string, text: string, known: readonly string[]): string {
  const meant = nearest(text, known);
  return `${wrong}; ${meant ? `did you mean ${meant}?` : `there are ${known.join(', ')}.`}`;
}
