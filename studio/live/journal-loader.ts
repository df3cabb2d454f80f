import type { Exchange } from '../../spec/vocabulary.js';
import { isUnderWay } from '../sequence/layout.js';
import { admin } from './admin-client.js';

/** The journal is asked for so often at most, ms. */
const EVERY_MS = 150;
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
      await this.#ask(organisation);
      await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
    }
    this.#isBusy = false;
  }

  async #ask(organisation: string | undefined): Promise<void> {
    // From the first that was not over.
    const known = this.#exchanges;
    const since = (known.find(isUnderWay)?.seq ?? (known.at(-1)?.seq ?? 0) + 1) - 1;
    const fresh: Exchange[] = [];
    for (let last = since; ; last = fresh.at(-1)!.seq) {
      const page = await admin
        .journal({ task: this.id, organisation, since: last, limit: PAGE })
        .catch((): Exchange[] => []);
      fresh.push(...page);
      if (page.length < PAGE) break;
    }
    if (this.#isStopped || (fresh.length === 0 && known.length > 0)) return;
    // What has not changed stays the same object: it is not read again.
    const before = new Map(known.map((each) => [each.seq, each]));
    const isSame = (each: Exchange) =>
      before.has(each.seq) && isUnderWay(before.get(each.seq)!) === isUnderWay(each);
    const merged = fresh.map((each) => (isSame(each) ? before.get(each.seq)! : each));
    this.#exchanges = [...known.filter(({ seq }) => seq <= since), ...merged];
    this.onChange(this.#exchanges);
  }
}
