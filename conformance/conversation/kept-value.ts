import { fingerprint } from './json.js';
import type { ReadExchange } from './read-exchange.js';

/** What stands in a longer body is kept as its fingerprint, characters. */
const SHORT = 512;

/** A value from a request, kept to be compared with others. Its print is made only when it is compared. */
export class KeptValue {
  #print: string | undefined;
  #value: unknown;

  constructor(value: unknown, { exchange }: ReadExchange) {
    if ((exchange.request.body?.length ?? 0) <= SHORT) this.#value = value;
    else this.#print = fingerprint(value);
  }

  /** The same for values that are equal as JSON. */
  get print(): string {
    if (this.#print === undefined) {
      this.#print = fingerprint(this.#value);
      this.#value = undefined;
    }
    return this.#print;
  }
}
