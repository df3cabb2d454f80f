import type { Exchange } from '../../../../spec/vocabulary.js';
import { shortenBodies } from '../../../common/kept-bodies.js';

/** JSON of all exchanges of a page, characters: with script, checks and summary, a full run stays below 2 MB. */
const MOST_CHARACTERS = 800_000;
/** The exchanges that a page has room for. Those that are added first are kept first. */
export class PageExchanges {
  readonly #kept = new Map<number, Exchange>();
  #room = MOST_CHARACTERS;
  /** How many times exchanges were left out. */
  cut = 0;

  /** In the order of the run. */
  get exchanges(): Exchange[] {
    return [...this.#kept.values()].sort((one, other) => one.seq - other.seq);
  }

  /**
   * Keeps `all`, or if there is no room for them the last of `evidence`, with bodies of `longestBody` characters at most. Returns the `seq`
   * of those that are kept.
   */
  add(all: readonly Exchange[], evidence: readonly Exchange[], longestBody: number): number[] {
    if (all.length === 0) return [];
    for (const some of [all, evidence, evidence.slice(-1)])
      if (this.#keep(some, longestBody)) {
        if (some.length < all.length) this.cut++;
        return some.map(({ seq }) => seq);
      }
    this.cut++;
    return [];
  }

  #keep(exchanges: readonly Exchange[], longestBody: number): boolean {
    const added = exchanges
      .filter(({ seq }) => !this.#kept.has(seq))
      .map((each) => shortenBodies(each, longestBody));
    const characters = added.reduce((sum, each) => sum + JSON.stringify(each).length, 0);
    if (characters > this.#room) return false;
    this.#room -= characters;
    for (const each of added) this.#kept.set(each.seq, each);
    return true;
  }
}
