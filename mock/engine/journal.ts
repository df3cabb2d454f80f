import { redactBody, redactHeaders, redactUrl } from '../../spec/redact.js';
import type { Exchange } from '../../spec/vocabulary.js';

/** Longest body kept in the journal, in characters; the rest is said to be left out. */
const LONGEST_BODY = 64 * 1024;

/** Makes a note from the request that it is about. One function serves many exchanges, where each would need its own. */
export type LateNote = (request: Readonly<Record<string, unknown>>) => string | undefined;

/**
 * One exchange as it is kept: flat, because a busy mock keeps thousands of them and every object costs the collector.
 * Complete once `status` is not 0; an exchange that never got an answer keeps 0.
 */
export class Entry {
  task: string | undefined = undefined;
  body: string | undefined = undefined;
  status = 0;
  answer_headers: Record<string, string> | undefined = undefined;
  answer: string | undefined = undefined;
  answered_at = 0;
  network: string[] | undefined = undefined;
  notes: string[] | undefined = undefined;
  /** A note that costs something to make, and what from: made when somebody reads it. */
  later: LateNote | undefined = undefined;
  laterOf: Readonly<Record<string, unknown>> | undefined = undefined;

  constructor(
    readonly seq: number,
    public kind: string,
    readonly operation: string | undefined,
    readonly method: string,
    readonly url: string,
    readonly headers: Record<string, string>,
    /** ms. */
    readonly at: number,
  ) {}

  note(text: string): void {
    this.notes ??= [];
    this.notes.push(text);
  }

  /** All notes there are; what costs something to make is made once, and what it was made from is let go. */
  allNotes(): string[] | undefined {
    const make = this.later;
    if (make) {
      const of = this.laterOf!;
      this.later = undefined;
      this.laterOf = undefined;
      const last = make(of);
      if (last !== undefined) this.note(last);
    }
    return this.notes && [...this.notes];
  }

  get characters(): number {
    return this.url.length + (this.body?.length ?? 0) + (this.answer?.length ?? 0);
  }
}

/**
 * The exchanges of one organisation, oldest first. Bounded in number and in text: beyond a bound the oldest go.
 * Headers that carry keys are redacted when an exchange is read, not when it is taken down, to keep the taking cheap.
 */
export class Journal {
  #ring: (Entry | undefined)[] = [];
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
  open(entry: Entry): void {
    if (entry.body !== undefined && entry.body.length > LONGEST_BODY) entry.body = cut(entry.body);
    this.#ring.push(entry);
    this.#characters += entry.characters;
    this.#shrink();
  }

  /** Completes it; with status 0 the client never got an answer. `at` in ms. */
  close(entry: Entry, status: number, headers: Record<string, string>, body: string, at: number): void {
    if (status !== 0) {
      entry.status = status;
      entry.answer_headers = headers;
      entry.answer = body.length > LONGEST_BODY ? cut(body) : body;
      entry.answered_at = at;
      // One that has been dropped meanwhile has given back what it took.
      if (entry.seq >= (this.#ring[this.#first]?.seq ?? Infinity)) this.#characters += entry.answer.length;
    }
    this.onDone?.(toExchange(entry, this.organisation, 'notes when asked'));
  }

  /** The exchange as it stands, keys redacted. */
  describe(entry: Entry): Exchange {
    return toExchange(entry, this.organisation);
  }

  /** Exchanges as they stand, keys redacted; of one task where it is given. */
  read(task?: string): Exchange[] {
    const kept = this.#ring.slice(this.#first) as Entry[];
    const wanted = task === undefined ? kept : kept.filter((entry) => entry.task === task);
    return wanted.map((entry) => toExchange(entry, this.organisation));
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

function toExchange(entry: Entry, organisation: string, lazily?: 'notes when asked'): Exchange {
  const { seq, kind, operation, task, method, url, body, at, status, network } = entry;
  const exchange: Exchange = {
    seq,
    kind,
    organisation,
    request: { method, url: redactUrl(url), headers: redactHeaders(entry.headers), at },
  };
  if (operation !== undefined) exchange.operation = operation;
  if (task !== undefined) exchange.task = task;
  if (body !== undefined) exchange.request.body = redactBody(body);
  if (status !== 0) {
    exchange.response = {
      status,
      headers: entry.answer_headers ?? {},
      body: entry.answer ?? '',
      at: entry.answered_at,
    };
  }
  if (network) exchange.network = [...network];
  if (entry.later && lazily) {
    // A log leaves lines out when there are many: those cost nothing.
    Object.defineProperty(exchange, 'notes', { enumerable: true, get: () => entry.allNotes() });
  } else {
    const notes = entry.allNotes();
    if (notes) exchange.notes = notes;
  }
  return exchange;
}

function toEntry(exchange: Exchange): Entry {
  const { request, response } = exchange;
  const entry = new Entry(
    exchange.seq,
    exchange.kind,
    exchange.operation,
    request.method,
    request.url,
    request.headers,
    request.at,
  );
  entry.task = exchange.task;
  entry.body = request.body;
  entry.network = exchange.network && [...exchange.network];
  entry.notes = exchange.notes && [...exchange.notes];
  if (response) {
    entry.status = response.status;
    entry.answer_headers = response.headers;
    entry.answer = response.body;
    entry.answered_at = response.at;
  }
  return entry;
}

function cut(body: string): string {
  return `${body.slice(0, LONGEST_BODY)}… (${body.length - LONGEST_BODY} more characters left out)`;
}
