import type { Exchange } from '../../spec/vocabulary.js';

/** Characters of long bodies that a run keeps for its report, all together. */
const MOST_KEPT = 32 * 1024 * 1024;
/** Characters that are left of a body that is shortened. Shorter ones are never touched. */
const SHORT = 2048;

interface BodyEntry {
  exchanges: Exchange[];
  at: number;
  characters: number;
}

/**
 * Bounds the bodies that a report keeps: beyond the bound, long ones are shortened, those of what passed before those that show
 * a failure, the oldest first. An exchange is replaced in its list: rules that still read it have it whole.
 */
export class KeptBodies {
  readonly #kept: Record<'passed' | 'failed', BodyEntry[]> = { passed: [], failed: [] };
  #characters = 0;
  /** Exchanges with a body that was shortened. */
  shortened = 0;

  constructor(private readonly most = MOST_KEPT) {}

  /** Takes `exchanges[at]` into account. */
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

/** The exchange with bodies of `most` characters at most; the same one where they are no longer. */
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
  // A slice would hold the whole body in memory.
  const head = Buffer.from(body.slice(0, most)).toString();
  const note = `… (${more} more characters left out)`;
  return { ...message, left_out: left_out + more, body: head + note };
}
