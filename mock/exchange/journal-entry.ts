import { createHeaderRedactor, redactBody, redactHeaders, redactUrl } from '../../spec/redact.js';
import type { Exchange, NetworkEffect, UpstreamExchange } from '../../spec/vocabulary.js';

/** Creates a note from the request. One function for many exchanges avoids a closure for each. */
export type LazyNote = (request: Readonly<Record<string, unknown>>) => string | undefined;

/**
 * One exchange in the journal. Flat, because a busy mock keeps thousands and every object costs garbage collection. `status` is 0 until the
 * response is sent, and stays 0 if the client never gets one.
 */
export class JournalEntry {
  task: string | undefined = undefined;
  scenario: string | undefined = undefined;
  body: string | undefined = undefined;
  /** How much of the body is missing in `body`; undefined if nothing is missing. */
  left_out: number | undefined = undefined;
  status = 0;
  /** The response was sent, or never will be. */
  isOver = false;
  responseHeaders: Record<string, string> | undefined = undefined;
  responseBody: string | undefined = undefined;
  responseLeftOut: number | undefined = undefined;
  respondedAt = 0;
  network: NetworkEffect[] | undefined = undefined;
  upstream: UpstreamExchange[] | undefined = undefined;
  order: Exchange['order'] = undefined;
  notes: string[] | undefined = undefined;
  /** Creates an expensive note when the notes are first read. */
  lazyNote: LazyNote | undefined = undefined;
  lazyNoteSource: Readonly<Record<string, unknown>> | undefined = undefined;

  constructor(
    readonly seq: number,
    public kind: string,
    readonly operation: string | undefined,
    readonly method: string,
    readonly url: string,
    readonly headers: Record<string, string>,
    /** ms. */
    readonly at: number,
    readonly connection?: number | undefined,
  ) {}

  note(text: string): void {
    this.notes ??= [];
    this.notes.push(text);
  }

  /** Creates the lazy note on the first call. */
  collectNotes(): string[] | undefined {
    const make = this.lazyNote;
    if (make) {
      const of = this.lazyNoteSource!;
      this.lazyNote = undefined;
      this.lazyNoteSource = undefined;
      const last = make(of);
      if (last !== undefined) this.note(last);
    }
    return this.notes && [...this.notes];
  }

  get characters(): number {
    return this.url.length + (this.body?.length ?? 0) + (this.responseBody?.length ?? 0);
  }
}

/** The exchange in its current state, keys redacted. */
export function toExchange(entry: JournalEntry, organisation: string, lazily?: 'lazy notes'): Exchange {
  const { seq, kind, operation, task, method, url, body, at, status, network } = entry;
  const redact = createHeaderRedactor(entry.headers);
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
      headers: entry.responseHeaders ?? {},
      body: redact(entry.responseBody ?? ''),
      at: entry.respondedAt,
    };
    if (entry.responseLeftOut !== undefined) exchange.response.left_out = entry.responseLeftOut;
  }
  if (network) exchange.network = [...network];
  if (entry.upstream) {
    exchange.upstream = entry.upstream.map(({ at, response }) => {
      return response ? { at, response: { ...response, body: redact(response.body) } } : { at };
    });
  }
  if (entry.order) exchange.order = { ...entry.order };
  if (entry.connection !== undefined) exchange.connection = entry.connection;
  if (entry.lazyNote && lazily) {
    // A log drops lines under load: notes of dropped lines are never created.
    Object.defineProperty(exchange, 'notes', {
      enumerable: true,
      get: () => entry.collectNotes()?.map(redact),
    });
  } else {
    const notes = entry.collectNotes();
    if (notes) exchange.notes = notes.map(redact);
  }
  return exchange;
}

/** The inverse of `toExchange`. */
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
  entry.network = exchange.network && [...exchange.network];
  entry.upstream = exchange.upstream;
  entry.order = exchange.order;
  entry.notes = exchange.notes && [...exchange.notes];
  entry.isOver = true;
  if (response) {
    entry.status = response.status;
    entry.responseHeaders = response.headers;
    entry.responseBody = response.body;
    entry.responseLeftOut = response.left_out;
    entry.respondedAt = response.at;
  }
  return entry;
}
