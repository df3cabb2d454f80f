import type { Exchange } from '../../spec/vocabulary.js';
import { isPending } from '../sequence/layout.js';
import { admin } from './admin-client.js';
import { serializeRuns } from './serialize-runs.js';

/** The journal is asked for so often at most, ms. */
const INTERVAL_MS = 150;
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
  /** Those that the page shows. */
  #shown: readonly Exchange[] | undefined;
  #isStopped = false;

  /** Asks for what is new; where a request is under way, once more after it. */
  readonly load: () => void;

  constructor(
    readonly id: string,
    /** Undefined where it is not known yet. */
    private readonly organisation: () => string | undefined,
    private readonly onChange: (exchanges: readonly Exchange[]) => void,
  ) {
    this.load = serializeRuns(async () => Math.max(INTERVAL_MS, (await this.#loadNew()) * PAUSE_FACTOR));
  }

  stop(): void {
    this.#isStopped = true;
  }

  /** Asks for all from the first exchange that was not over. Returns how long the page took to show the last part, ms. */
  async #loadNew(): Promise<number> {
    const known = this.#exchanges;
    let since = (known.find(isPending)?.seq ?? (known.at(-1)?.seq ?? 0) + 1) - 1;
    for (;;) {
      if (this.#isStopped) return 0;
      const part = await admin
        .fetchJournal({ task: this.id, organisation: this.organisation(), since, limit: PAGE })
        .catch((): Exchange[] => []);
      if (this.#isStopped) return 0;
      if (part.length > 0) this.#merge(since, part);
      const isLast = part.length < PAGE;
      const took = await this.#publish(isLast);
      if (isLast) return took;
      since = part.at(-1)!.seq;
    }
  }

  #merge(since: number, part: readonly Exchange[]): void {
    const known = this.#exchanges;
    const after = known.findLastIndex(({ seq }) => seq <= since) + 1;
    // What has not changed stays the same object: it is not read again.
    const before = new Map(known.slice(after).map((each) => [each.seq, each]));
    const merged = part.map((each) => {
      const old = before.get(each.seq);
      return old && isPending(old) === isPending(each) ? old : each;
    });
    const last = part.at(-1)!.seq;
    const rest = known.slice(after).filter(({ seq }) => seq > last);
    const all = [...known.slice(0, after), ...merged, ...rest];
    this.#exchanges = all.length > MOST_KEPT ? all.slice(-LEAST_KEPT) : all;
  }

  /**
   * Of a long conversation that arrives in parts, only each doubling is shown: all exchanges are laid out each time. Returns how long
   * the page took, ms.
   */
  async #publish(isLast: boolean): Promise<number> {
    const { length } = this.#shown ?? [];
    if (this.#exchanges === this.#shown || (!isLast && this.#exchanges.length < 2 * length)) return 0;
    this.#shown = this.#exchanges;
    const start = performance.now();
    this.onChange(this.#exchanges);
    // The page is rendered before any timer.
    await new Promise((resolve) => setTimeout(resolve));
    return performance.now() - start;
  }
}
