import type { Exchange } from '../../spec/vocabulary.js';
import { isPending } from '../sequence/exchange-row.js';
import { admin } from './admin-client.js';
import { serializeRuns } from './serialize-runs.js';

/** Minimum time between two requests for the journal, ms. */
const INTERVAL_MS = 150;
/** The pause after an update of the page, in multiples of its duration: a long conversation must not freeze the page. */
const PAUSE_FACTOR = 5;
/** Exchanges kept. Beyond it the oldest are removed, many at once, because the rest is laid out again. */
const MOST_KEPT = 110_000;
const LEAST_KEPT = 100_000;
/** Exchanges per request. */
const PAGE = 2000;

/** Loads the exchanges of one task, one request at a time. */
export class JournalLoader {
  #exchanges: readonly Exchange[] = [];
  #shown: readonly Exchange[] | undefined;
  #isStopped = false;

  /** Loads new exchanges; during a request, once more after it. */
  readonly load: () => void;

  constructor(
    readonly id: string,
    /** Undefined while unknown. */
    private readonly organisation: () => string | undefined,
    private readonly onChange: (exchanges: readonly Exchange[]) => void,
  ) {
    this.load = serializeRuns(async () => Math.max(INTERVAL_MS, (await this.#loadNew()) * PAUSE_FACTOR));
  }

  stop(): void {
    this.#isStopped = true;
  }

  /** Loads from the first pending exchange on. Resolves to the time that the page took to show the last part, ms. */
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
    // An unchanged exchange stays the same object, so that it is not parsed again.
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
   * While parts of a long conversation arrive, the page is updated only when their number has doubled: each update lays out all
   * exchanges. Resolves to the time that the page took, ms.
   */
  async #publish(isLast: boolean): Promise<number> {
    const { length } = this.#shown ?? [];
    if (this.#exchanges === this.#shown || (!isLast && this.#exchanges.length < 2 * length)) return 0;
    this.#shown = this.#exchanges;
    const start = performance.now();
    this.onChange(this.#exchanges);
    // Preact renders before this timer.
    await new Promise((resolve) => setTimeout(resolve));
    return performance.now() - start;
  }
}
