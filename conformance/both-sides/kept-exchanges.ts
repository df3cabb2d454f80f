import type { Exchange } from '../../spec/vocabulary.js';
import { shortenBodies } from '../common/kept-bodies.js';

/** Exchanges kept from the beginning, of the latest, and because they show something. */
const MOST_FIRST = 500;
const MOST_LATEST = 1000;
const MOST_PINNED = 2000;
/** Characters of a body. */
const LONGEST_BODY = 32 * 1024;

/** The exchanges that a report has room for: the first, the latest, and those that show something. */
export class KeptExchanges {
  readonly #first: Exchange[] = [];
  readonly #pinned = new Map<number, Exchange>();
  /** By `seq`, in the order in which they came. */
  readonly #latest = new Map<number, Exchange>();
  /** Exchanges with a body that was shortened. */
  shortened = 0;

  add(given: Exchange): void {
    const exchange = shortenBodies(given, LONGEST_BODY);
    if (exchange !== given) this.shortened++;
    if (this.#first.length < MOST_FIRST) {
      this.#first.push(exchange);
      return;
    }
    this.#latest.set(exchange.seq, exchange);
    if (this.#latest.size > MOST_LATEST) this.#latest.delete(this.#latest.keys().next().value!);
  }

  /** Keeps these, as far as they are still there. */
  pin(seqs: readonly number[]): void {
    for (const seq of seqs) {
      const exchange = this.#latest.get(seq);
      if (exchange && this.#pinned.size < MOST_PINNED) this.#pinned.set(seq, exchange);
    }
  }

  /** In the order in which the requests arrived. */
  read(): Exchange[] {
    const kept = [...this.#first, ...this.#pinned.values(), ...this.#latest.values()];
    return [...new Set(kept)].sort((one, other) => one.seq - other.seq);
  }
}
