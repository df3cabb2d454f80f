import { headerSecretRedactor, redactBody, redactHeaders, redactUrl } from '../../spec/redact.js';
import type { Exchange, NetworkEffect } from '../../spec/vocabulary.js';
import { readNetworkEffects } from './old-exchange.js';

/** Makes a note from the request that it is about. One function serves many exchanges, where each would need its own. */
export type LateNote = (request: Readonly<Record<string, unknown>>) => string | undefined;

/**
 * One exchange as it is kept: flat, because a busy mock keeps thousands of them and every object costs the collector.
 * Complete once `status` is not 0; an exchange that never got an answer keeps 0.
 */
export class JournalEntry {
  task: string | undefined = undefined;
  scenario: string | undefined = undefined;
  body: string | undefined = undefined;
  /** How much of the body is not in `body`; undefined: nothing. */
  left_out: number | undefined = undefined;
  status = 0;
  answer_headers: Record<string, string> | undefined = undefined;
  answer: string | undefined = undefined;
  answer_left_out: number | undefined = undefined;
  answered_at = 0;
  network: NetworkEffect[] | undefined = undefined;
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

/** The exchange as it stands, keys redacted. */
export function toExchange(entry: JournalEntry, organisation: string, lazily?: 'notes when asked'): Exchange {
  const { seq, kind, operation, task, method, url, body, at, status, network } = entry;
  const redact = headerSecretRedactor(entry.headers);
  const exchange: Exchange = {
    seq,
    kind,
    organisation,
    request: { method, url: redact(redactUrl(url)), headers: redactHeaders(entry.headers, redact), at },
  };
  if (operation !== undefined) exchange.operation = operation;
  if (task !== undefined) exchange.task = task;
  if (entry.scenario !== undefined) exchange.scenario = entry.scenario;
  if (body !== undefined) exchange.request.body = redact(redactBody(body));
  if (entry.left_out !== undefined) exchange.request.left_out = entry.left_out;
  if (status !== 0) {
    exchange.response = {
      status,
      headers: entry.answer_headers ?? {},
      body: redact(entry.answer ?? ''),
      at: entry.answered_at,
    };
    if (entry.answer_left_out !== undefined) exchange.response.left_out = entry.answer_left_out;
  }
  if (network) exchange.network = [...network];
  if (entry.later && lazily) {
    // A log leaves lines out when there are many: those cost nothing.
    Object.defineProperty(exchange, 'notes', { enumerable: true, get: () => entry.allNotes()?.map(redact) });
  } else {
    const notes = entry.allNotes();
    if (notes) exchange.notes = notes.map(redact);
  }
  return exchange;
}

/** The entry that an exchange was read from. */
export function toEntry(exchange: Exchange): JournalEntry {
  const { request, response } = exchange;
  const entry = new JournalEntry(
    exchange.seq,
    exchange.kind,
    exchange.operation,
    request.method,
    request.url,
    request.headers,
    request.at,
  );
  entry.task = exchange.task;
  entry.scenario = exchange.scenario;
  entry.body = request.body;
  entry.left_out = request.left_out;
  entry.network = readNetworkEffects(exchange.network);
  entry.notes = exchange.notes && [...exchange.notes];
  if (response) {
    entry.status = response.status;
    entry.answer_headers = response.headers;
    entry.answer = response.body;
    entry.answer_left_out = response.left_out;
    entry.answered_at = response.at;
  }
  return entry;
}
