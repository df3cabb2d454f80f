import { hashOf } from '../../spec/hash.js';

/** Keys that are numbered 1, 2, 3, … in the order of their first use. */
const MOST_COUNTED = 10_000;

/**
 * Numbers API keys, for a journal file that names none of them: a key has the same number for as long as the file is
 * written, whatever came between, as a replay takes what stands under one number for one client. The first 10,000 are
 * counted. Those beyond get a number that is made of the key itself, and need not be remembered: memory is bounded
 * however many keys come, and no key ever changes its number.
 */
export class KeyNumbers {
  /** By what is made of the key: a key may be long, and need not be kept. */
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
