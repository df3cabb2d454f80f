import type { Exchange } from '../../spec/vocabulary.js';

/** Most characters of long bodies in a report, in total. */
const MOST_KEPT = 32 * 1024 * 1024;
/** Characters kept of a shortened body. Shorter bodies are never changed. */
const SHORT = 2048;

interface BodyEntry {
  exchanges: Exchange[];
  at: number;
  characters: number;
}

/**
 * Limits the bodies that a report keeps. Beyond the limit, long bodies are shortened: first those of passed checks, then
 * those of failed ones, the oldest first. The exchange is replaced in its list, so rules that still read the original have
 * all of it.
 */
export class KeptBodies {
  readonly #kept: Record<'passed' | 'failed', BodyEntry[]> = { passed: [], failed: [] };
  #characters = 0;
  /** Number of exchanges with a shortened body. */
  shortened = 0;

  constructor(private readonly most = MOST_KEPT) {}

  add(exchanges: Exchange[], at: number, interest: 'passed' | 'failed'): void {
    const { request, response } = exchanges[at]!;
    const characters = countLongCharacters(request.body) + countLongCharacters(response?.body);
    if (characters === 0) return;
    this.#kept[interest].push({ exchanges, at, characters });
    this.#characters += characters;
    while (this.#characters > this.most) {
      const oldest = (this.#kept.passed.shift() ?? this.#kept.failed.shift())!;
      oldest.exchanges[oldest.at] = shortenBodies(oldest.exchanges[oldest.at]!);
      this.#characters -= oldest.characters;
      this.shortened++;
    }
  }
}

function countLongCharacters(body: string | undefined): number {
  return body !== undefined && body.length > SHORT ? body.length : 0;
}

/** Returns the same exchange if no body is longer than `most` characters. */
export function shortenBodies(exchange: Exchange, most = SHORT): Exchange {
  const request = cutBody(exchange.request, most);
  const response = exchange.response && cutBody(exchange.response, most);
  if (request === exchange.request && response === exchange.response) return exchange;
  return { ...exchange, request, ...(response ? { response } : {}) };
}

function cutBody<M extends { body?: string; left_out?: number }>(message: M, most: number): M {
  const { body = '', left_out = 0 } = message;
  const more = body.length - most;
  if (more <= 0) return message;
  // A slice would keep the whole body in memory.
  const head = Buffer.from(body.slice(0, most)).toString();
  const note = `… (${more} more characters left out)`;
  return { ...message, left_out: left_out + more, body: head + note };
}
