import { InvalidArgumentError } from 'commander';
import {
  ALLOWANCES,
  type Allowance,
  KEY_NAMES,
  type KeyName,
  SUITES,
  type Suite,
} from '../../conformance/service/test-case/test-case.js';
import { didYouMean } from '../../spec/nearest.js';
import { UsageError } from '../exit-codes.js';

const MORE_KEYS = KEY_NAMES.filter((name) => name !== 'main');
export type MoreKeys = Partial<Record<Exclude<KeyName, 'main'>, string>>;

/** `other=KEY`, several times. */
export function moreKeys(text: string, before: MoreKeys = {}): MoreKeys {
  const [, name, key] = /^([^=]*)=(.*)$/s.exec(text) ?? [];
  // Not InvalidArgumentError: what was typed is repeated with it, and this is a key.
  if (name === undefined || !key?.trim()) {
    throw new UsageError(`--key: expected NAME=KEY, with NAME one of ${MORE_KEYS.join(', ')}.`);
  }
  const known = MORE_KEYS.find((each) => each === name);
  if (!known) throw new UsageError(`--key: ${unknown(`there is no key "${name}"`, name, MORE_KEYS)}`);
  return { ...before, [known]: key };
}

export function suites(text: string, before: Suite[] = []): Suite[] {
  return [...before, choice(text, SUITES, 'there is no such suite')];
}

export function allowances(text: string, before: Allowance[] = []): Allowance[] {
  return [...before, choice(text, ALLOWANCES, 'there is nothing of that name to allow')];
}

/** One of the words there are. `wrong`: what is said of another. */
function choice<T extends string>(text: string, known: readonly T[], wrong: string): T {
  const found = known.find((each) => each === text);
  if (found === undefined) throw new InvalidArgumentError(unknown(wrong, text, known));
  return found;
}

/** `wrong`, with what may have been meant. */
function unknown(wrong: string, text: string, known: readonly string[]): string {
  return wrong + didYouMean(text, known, `there are ${known.join(', ')}.`);
}
