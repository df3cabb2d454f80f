import type { Exchange } from '../../spec/vocabulary.js';
import { type JournalEntry, toEntry, toExchange } from './journal-entry.js';

/** Limits of journals; beyond them, the oldest exchanges are removed. */
export interface JournalLimits {
  /** Exchanges kept in each organisation's journal. */
  exchanges: number;
  /** Characters of bodies kept in each organisation's journal. */
  journalCharacters: number;
  /** Exchanges kept in the journals of all organisations together. */
  totalExchanges: number;
  /** Characters of bodies kept in the journals of all organisations together. */
  totalCharacters: number;
  /** Characters kept of each body in the journal; `left_out` counts the rest. */
  bodyCharacters: number;
}

/** The size of all journals together. */
export class JournalTotal {
  exchanges = 0;
  characters = 0;

  /** `onFull` is called beyond a limit and drops the oldest exchanges of journals. */
  constructor(
    private readonly limits: JournalLimits,
    private readonly onFull: () => void,
  ) {}

  add(exchanges: number, characters: number): void {
    this.exchanges += exchanges;
    this.characters += characters;
    if (exchanges <= 0) return;
    const { totalExchanges, totalCharacters, exchanges: most, journalCharacters } = this.limits;
    // A single journal may use its own limit in full.
    const isFull =
      this.exchanges > Math.max(totalExchanges, most) ||
      this.characters > Math.max(totalCharacters, journalCharacters);
    if (isFull) this.onFull();
  }
}

/** The part of a journal that is dropped if all journals together exceed a limit. */
const PART_DROPPED = 1 / 8;

/**
 * The exchanges of one organisation, oldest first. Limited in number and in text: beyond a limit the oldest are dropped. Keys are redacted
 * when an exchange is read, not when it is recorded, to keep recording cheap.
 */
export class Journal {
  #ring: (JournalEntry | undefined)[] = [];
  #first = 0;
  #characters = 0;

  constructor(
    private readonly organisation: string,
    private readonly limits: Pick<JournalLimits, 'exchanges' | 'journalCharacters' | 'bodyCharacters'>,
    private readonly onDone?: (exchange: Exchange) => void,
    /** The latest number. Journals that share this object number their exchanges together. */
    private readonly latest = { seq: 0 },
    private readonly total?: JournalTotal,
  ) {}

  allocateSeq(): number {
    return ++this.latest.seq;
  }

  /** Adds an exchange that has begun. */
  open(entry: JournalEntry): void {
    const { bodyCharacters: longest } = this.limits;
    if (entry.body !== undefined && entry.body.length > longest) {
      entry.left_out = entry.body.length - longest;
      entry.body = truncateBody(entry.body, longest);
    }
    this.#ring.push(entry);
    this.#count(1, entry.characters);
    this.#enforceLimits();
  }

  /** Completes an exchange; status 0 if the client never gets the response. `at` in ms. */
  close(
    entry: JournalEntry,
    status: number,
    headers: Record<string, string>,
    body: string | Uint8Array,
    at: number,
  ): void {
    entry.isOver = true;
    if (status !== 0) {
      entry.status = status;
      entry.responseHeaders = headers;
      if (typeof body !== 'string') {
        entry.responseBody = `(${body.length} bytes)`;
        entry.responseLeftOut = body.length;
      } else if (body.length > this.limits.bodyCharacters) {
        entry.responseBody = truncateBody(body, this.limits.bodyCharacters);
        entry.responseLeftOut = body.length - this.limits.bodyCharacters;
      } else entry.responseBody = body;
      entry.respondedAt = at;
      // The entry may have been dropped meanwhile.
      if (entry.seq >= (this.#ring[this.#first]?.seq ?? Infinity)) this.#count(0, entry.responseBody.length);
    }
    this.onDone?.(toExchange(entry, this.organisation, 'lazy notes'));
  }

  /** Keys are redacted. */
  read({ task, kind, since: listSince, limit }: Omit<JournalQuery, 'key'> = {}): Exchange[] {
    const entries = this.since(listSince ?? 0, NONE).filter(
      (entry) => (task ?? entry.task) === entry.task && (kind ?? entry.kind) === entry.kind,
    );
    // Only the selected entries are converted: a viewer often requests the latest of one task.
    return applyLimit(entries, listSince, limit).map((entry) => toExchange(entry, this.organisation));
  }

  /** Exchanges with a greater `seq`, and those in `others`, oldest first; keys are not redacted. */
  since(seq: number, others: ReadonlySet<number>): JournalEntry[] {
    const found: JournalEntry[] = [];
    let least = seq + 1;
    for (const other of others) least = Math.min(least, other);
    for (let at = this.#ring.length - 1; at >= this.#first; at--) {
      const findEntry = this.#ring[at]!;
      if (findEntry.seq < least) break;
      if (findEntry.seq > seq || others.has(findEntry.seq)) found.push(findEntry);
    }
    return found.reverse();
  }

  /** Undefined if it is no longer kept. */
  entry(seq: number): JournalEntry | undefined {
    return this.since(seq - 1, NONE).find((each) => each.seq === seq);
  }

  get size(): number {
    return this.#ring.length - this.#first;
  }

  get seq(): number {
    return this.latest.seq;
  }

  clear(): void {
    this.#count(-this.size, -this.#characters);
    this.#ring = [];
    this.#first = 0;
  }

  /** Makes room for the exchanges of other organisations. */
  dropOldest(): void {
    for (let left = Math.ceil(this.size * PART_DROPPED); left > 0; left--) this.#drop();
  }

  #count(exchanges: number, characters: number): void {
    this.#characters += characters;
    this.total?.add(exchanges, characters);
  }

  restore(exchanges: readonly Exchange[], seq: number): void {
    this.clear();
    this.latest.seq = 0;
    for (const exchange of exchanges) this.open(toEntry(exchange));
    this.latest.seq = seq;
  }

  #enforceLimits(): void {
    const { exchanges, journalCharacters } = this.limits;
    while (this.size > exchanges || (this.#characters > journalCharacters && this.size > 1)) this.#drop();
  }

  #drop(): void {
    const oldest = this.#ring[this.#first]!;
    this.#ring[this.#first++] = undefined;
    this.#count(-1, -oldest.characters);
    // Release the empty front in blocks.
    if (this.#first > 1024 && this.#first > this.#ring.length >> 1) {
      this.#ring = this.#ring.slice(this.#first);
      this.#first = 0;
    }
  }
}

const NONE: ReadonlySet<number> = new Set();

function truncateBody(body: string, longest: number): string {
  return `${body.slice(0, longest)}… (${body.length - longest} more characters left out)`;
}

/** Which exchanges to read. All given parts must match. */
export interface JournalQuery {
  key?: string;
  /** Id of their task. */
  task?: string;
  /** `create`, `poll`, `reply`, `action`, `cancel`, or an operation id. */
  kind?: string;
  /** Only those with a greater `seq`. */
  since?: number;
  /** Greatest number: the first ones if `since` is given, else the last ones. */
  limit?: number;
}

/** Oldest first, one organisation after the other; keys redacted. */
export function readJournal(organisations: readonly { journal: Journal }[], query: JournalQuery): Exchange[] {
  const { since, limit } = query;
  return applyLimit(
    organisations.flatMap(({ journal }) => journal.read(query)),
    since,
    limit,
  );
}

function applyLimit<T>(found: T[], since: number | undefined, limit: number | undefined): T[] {
  if (limit === undefined || found.length <= limit) return found;
  return since === undefined ? found.slice(found.length - limit) : found.slice(0, limit);
}
