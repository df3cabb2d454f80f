import { type Exchange, NO_OPERATION } from '../../spec/vocabulary.js';
import { type JournalEntry, toEntry, toExchange } from './journal-entry.js';

/** Longest body kept in the journal, in characters; the rest is said to be left out. */
const LONGEST_BODY = 64 * 1024;

/**
 * The exchanges of one organisation, oldest first. Bounded in number and in text: beyond a bound the oldest go.
 * Headers that carry keys are redacted when an exchange is read, not when it is taken down, to keep the taking cheap.
 */
export class Journal {
  #ring: (JournalEntry | undefined)[] = [];
  #first = 0;
  #characters = 0;
  #seq = 0;

  constructor(
    /** Name of the organisation. */
    private readonly organisation: string,
    private readonly limits: { exchanges: number; characters: number },
    private readonly onDone?: (exchange: Exchange) => void,
  ) {}

  nextSeq(): number {
    return ++this.#seq;
  }

  /** Takes down an exchange that has just begun. */
  open(entry: JournalEntry): void {
    if (entry.body !== undefined && entry.body.length > LONGEST_BODY) {
      entry.left_out = entry.body.length - LONGEST_BODY;
      entry.body = cut(entry.body);
    }
    this.#ring.push(entry);
    this.#characters += entry.characters;
    this.#shrink();
  }

  /** Completes it; with status 0 the client never got an answer. `at` in ms. */
  close(
    entry: JournalEntry,
    status: number,
    headers: Record<string, string>,
    body: string | Uint8Array,
    at: number,
  ): void {
    if (status !== 0) {
      entry.status = status;
      entry.answer_headers = headers;
      if (typeof body !== 'string') {
        entry.answer = `(${body.length} bytes)`;
        entry.answer_left_out = body.length;
      } else if (body.length > LONGEST_BODY) {
        entry.answer = cut(body);
        entry.answer_left_out = body.length - LONGEST_BODY;
      } else entry.answer = body;
      entry.answered_at = at;
      // One that has been dropped meanwhile has given back what it took.
      if (entry.seq >= (this.#ring[this.#first]?.seq ?? Infinity)) this.#characters += entry.answer.length;
    }
    this.onDone?.(toExchange(entry, this.organisation, 'notes when asked'));
  }

  /** The exchange as it stands, keys redacted. */
  describe(entry: JournalEntry): Exchange {
    return toExchange(entry, this.organisation);
  }

  /** Exchanges as they stand, keys redacted; of one task where it is given. */
  read(task?: string): Exchange[] {
    const kept = this.#ring.slice(this.#first) as JournalEntry[];
    const wanted = task === undefined ? kept : kept.filter((entry) => entry.task === task);
    return wanted.map((entry) => toExchange(entry, this.organisation));
  }

  /** Requests that no operation has the path and method of, the last `most` of those that `isMeant` takes. */
  strays(most: number, isMeant: (url: string) => boolean = () => true): Exchange[] {
    const found: Exchange[] = [];
    for (let at = this.#ring.length - 1; at >= this.#first && found.length < most; at--) {
      const entry = this.#ring[at]!;
      if (entry.kind === NO_OPERATION && isMeant(entry.url)) found.push(toExchange(entry, this.organisation));
    }
    return found.reverse();
  }

  get size(): number {
    return this.#ring.length - this.#first;
  }

  get seq(): number {
    return this.#seq;
  }

  clear(): void {
    this.#ring = [];
    this.#first = 0;
    this.#characters = 0;
    this.#seq = 0;
  }

  restore(exchanges: readonly Exchange[], seq: number): void {
    this.clear();
    for (const exchange of exchanges) this.open(toEntry(exchange));
    this.#seq = seq;
  }

  #shrink(): void {
    const { exchanges, characters } = this.limits;
    while (this.size > exchanges || (this.#characters > characters && this.size > 1)) {
      const oldest = this.#ring[this.#first]!;
      this.#ring[this.#first++] = undefined;
      this.#characters -= oldest.characters;
    }
    // The emptied front is given back in blocks.
    if (this.#first > 1024 && this.#first > this.#ring.length >> 1) {
      this.#ring = this.#ring.slice(this.#first);
      this.#first = 0;
    }
  }
}

function cut(body: string): string {
  return `${body.slice(0, LONGEST_BODY)}… (${body.length - LONGEST_BODY} more characters left out)`;
}
