import { hashOf } from '../../spec/hash.js';

/** Keys that are numbered in the order of their first use. */
const MOST_COUNTED = 10_000;

/**
 * Numbers API keys for a journal file, which contains no keys: a replay treats exchanges with one number as one client. The first 10,000
 * keys are counted. Further keys get a number derived from the key, so that memory is bounded and no key changes its number.
 */
export class KeyNumbers {
  /** By the hash of the key. */
  readonly #numbers = new Map<number, number>();

  constructor(private readonly most = MOST_COUNTED) {}

  of(key: string): number {
    const made = hashOf(key);
    const known = this.#numbers.get(made);
    if (known !== undefined) return known;
    if (this.#numbers.size >= this.most) return this.most + 1 + made;
    const number = this.#numbers.size + 1;
    this.#numbers.set(made, number);
    return number;
  }
}
