import type { Exchange } from '../../spec/vocabulary.js';

/** Longest body kept in the journal, in characters; the rest is said to be left out. */
const LONGEST_BODY = 64 * 1024;

/**
 * The exchanges of one organisation, oldest first. Bounded in number and in text: beyond a bound the oldest go.
 * Headers that carry keys are redacted when an exchange is read, not when it is taken down, to keep the taking cheap.
 */
export class Journal {
  #ring: (Exchange | undefined)[] = [];
  #first = 0;
  #characters = 0;
  #seq = 0;

  constructor(
    private readonly limits: { exchanges: number; characters: number },
    private readonly onDone?: (exchange: Exchange) => void,
  ) {}

  nextSeq(): number {
    return ++this.#seq;
  }

  /** Takes down an exchange that has just begun. */
  open(exchange: Exchange): void {
    const { request } = exchange;
    if (request.body !== undefined && request.body.length > LONGEST_BODY) request.body = cut(request.body);
    this.#ring.push(exchange);
    this.#characters += request.url.length + (request.body?.length ?? 0);
    this.#shrink();
  }

  /** Completes it; without `response` the client never got an answer. */
  close(exchange: Exchange, response?: Exchange['response']): void {
    if (response) {
      if (response.body.length > LONGEST_BODY) response.body = cut(response.body);
      exchange.response = response;
      this.#characters += response.body.length;
    }
    this.onDone?.(exchange);
  }

  /** Exchanges as they stand, keys redacted; of one task where it is given. */
  read(task?: string): Exchange[] {
    const kept = this.#ring.slice(this.#first) as Exchange[];
    return (task === undefined ? kept : kept.filter((exchange) => exchange.task === task)).map(redact);
  }

  get size(): number {
    return this.#ring.length - this.#first;
  }

  clear(): void {
    this.#ring = [];
    this.#first = 0;
    this.#characters = 0;
    this.#seq = 0;
  }

  restore(exchanges: Exchange[], seq: number): void {
    this.clear();
    this.#ring = exchanges;
    this.#seq = seq;
  }

  get seq(): number {
    return this.#seq;
  }

  #shrink(): void {
    const { exchanges, characters } = this.limits;
    while (this.size > exchanges || (this.#characters > characters && this.size > 1)) {
      const oldest = this.#ring[this.#first]!;
      this.#ring[this.#first++] = undefined;
      this.#characters -=
        oldest.request.url.length + (oldest.request.body?.length ?? 0) + (oldest.response?.body.length ?? 0);
    }
    // The emptied front is given back in blocks.
    if (this.#first > 1024 && this.#first > this.#ring.length >> 1) {
      this.#ring = this.#ring.slice(this.#first);
      this.#first = 0;
    }
  }
}

const SECRET_HEADERS = new Set([
  'apikey',
  'authorization',
  'cookie',
  'set-cookie',
  'x-taskdouble-admin-token',
]);

/** The exchange with its keys replaced by `<redacted>`. */
export function redact(exchange: Exchange): Exchange {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(exchange.request.headers)) {
    headers[name] = SECRET_HEADERS.has(name) ? '<redacted>' : value;
  }
  return { ...exchange, request: { ...exchange.request, headers } };
}

function cut(body: string): string {
  return `${body.slice(0, LONGEST_BODY)}… (${body.length - LONGEST_BODY} more characters left out)`;
}
