import type { Exchange } from '../../spec/vocabulary.js';
import { isUnderWay } from '../sequence/layout.js';
import { admin } from './admin-client.js';

/** The journal is asked for so often at most, ms. */
const EVERY_MS = 150;
/** After an update of the page, so many times its duration pass until the next: a long conversation must not freeze it. */
const PAUSE_FACTOR = 5;
/** Of a longer conversation, the oldest exchanges are left out: many at once, because all that stay are laid out again. */
const MOST_KEPT = 110_000;
const LEAST_KEPT = 100_000;
/** Exchanges of one request for the journal. */
const PAGE = 2000;

/** Keeps the exchanges of one task: asks the journal for what is new, one request at a time. */
export class JournalLoader {
  #exchanges: readonly Exchange[] = [];
  #isBusy = false;
  #isWanted = false;
  #isStopped = false;

  constructor(
    readonly id: string,
    private readonly onChange: (exchanges: readonly Exchange[]) => void,
  ) {}

  /** Asks for what is new; where a request is under way, once more after it. */
  load(organisation: string | undefined): void {
    this.#isWanted = true;
    if (!this.#isBusy) void this.#run(organisation);
  }

  stop(): void {
    this.#isStopped = true;
  }

  async #run(organisation: string | undefined): Promise<void> {
    this.#isBusy = true;
    while (this.#isWanted && !this.#isStopped) {
      this.#isWanted = false;
      const took = await this.#ask(organisation);
      await new Promise((resolve) => setTimeout(resolve, Math.max(EVERY_MS, took * PAUSE_FACTOR)));
    }
    this.#isBusy = false;
  }

  /** Asks for all from the first exchange that was not over. Returns how long the page took to show the last part, ms. */
  async #ask(organisation: string | undefined): Promise<number> {
    const known = this.#exchanges;
    let since = (known.find(isUnderWay)?.seq ?? (known.at(-1)?.seq ?? 0) + 1) - 1;
    for (;;) {
      const part = await admin
        .journal({ task: this.id, organisation, since, limit: PAGE })
        .catch((): Exchange[] => []);
      if (this.#isStopped || (part.length === 0 && this.#exchanges.length > 0)) return 0;
      const start = performance.now();
      this.#add(since, part);
      // The page is rendered before any timer.
      await new Promise((resolve) => setTimeout(resolve));
      if (part.length < PAGE) return performance.now() - start;
      since = part.at(-1)!.seq;
    }
  }

  #add(since: number, part: readonly Exchange[]): void {
    const known = this.#exchanges;
    const after = known.findLastIndex(({ seq }) => seq <= since) + 1;
    // What has not changed stays the same object: it is not read again.
    const before = new Map(known.slice(after).map((each) => [each.seq, each]));
    const merged = part.map((each) => {
      const old = before.get(each.seq);
      return old && isUnderWay(old) === isUnderWay(each) ? old : each;
    });
    const last = part.at(-1)?.seq ?? since;
    const rest = known.slice(after).filter(({ seq }) => seq > last);
    const all = [...known.slice(0, after), ...merged, ...rest];
    this.#exchanges = all.length > MOST_KEPT ? all.slice(-LEAST_KEPT) : all;
    this.onChange(this.#exchanges);
  }
}
