import type { Exchange } from '../../spec/vocabulary.js';

/** Characters of long bodies that a run keeps for its report, all together. */
const MOST_KEPT = 32 * 1024 * 1024;
/** Characters that are left of a body that is shortened. Shorter ones are never touched. */
const SHORT = 2048;

/** Why an exchange is kept, by what is shortened first. */
const INTERESTS = ['passed', 'failed'] as const;
type Interest = (typeof INTERESTS)[number];

interface KeptBody {
  exchanges: Exchange[];
  at: number;
  characters: number;
}

/**
 * Bounds the bodies that a report keeps: beyond the bound, long ones are shortened, those of what passed before those that show
 * a failure, the oldest first. An exchange is replaced in its list: rules that still read it have it whole.
 */
export class KeptBodies {
  readonly #kept = new Map<Interest, Map<Exchange, KeptBody>>(
    INTERESTS.map((interest) => [interest, new Map()]),
  );
  #characters = 0;
  #shortened = 0;

  constructor(private readonly most = MOST_KEPT) {}

  /** Exchanges with a body that was shortened. */
  get shortened(): number {
    return this.#shortened;
  }

  /** Takes `exchanges[at]` into account. */
  add(exchanges: Exchange[], at: number, interest: Interest): void {
    const exchange = exchanges[at]!;
    const characters = longOf(exchange.request.body) + longOf(exchange.response?.body);
    if (characters === 0) return;
    this.#kept.get(interest)!.set(exchange, { exchanges, at, characters });
    this.#characters += characters;
    this.#shrink();
  }

  #shrink(): void {
    for (const interest of INTERESTS) {
      const kept = this.#kept.get(interest)!;
      for (const [exchange, { exchanges, at, characters }] of kept) {
        if (this.#characters <= this.most) return;
        kept.delete(exchange);
        exchanges[at] = shortened(exchange);
        this.#characters -= characters;
        this.#shortened++;
      }
    }
  }
}

function longOf(body: string | undefined): number {
  return body !== undefined && body.length > SHORT ? body.length : 0;
}

function shortened(exchange: Exchange): Exchange {
  const { request, response } = exchange;
  return { ...exchange, request: cut(request), ...(response ? { response: cut(response) } : {}) };
}

function cut<M extends { body?: string; left_out?: number }>(message: M): M {
  const { body = '', left_out = 0 } = message;
  const more = body.length - SHORT;
  if (more <= 0) return message;
  // A slice would hold the whole body in memory.
  const head = Buffer.from(body.slice(0, SHORT)).toString();
  const note = `… (${more} more characters left out, to bound the memory of the run)`;
  return { ...message, left_out: left_out + more, body: head + note };
}
