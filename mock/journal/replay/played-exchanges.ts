import type { Exchange } from '../../../spec/vocabulary.js';

const LIMITS = { exchanges: 10_000, characters: 64 * 1024 * 1024 };

/** What has been replayed, oldest first. Bounded in number and in text: beyond a bound the oldest go, the last one stays. */
export class PlayedExchanges {
  #kept: Exchange[] = [];
  #characters = 0;

  constructor(private readonly limits = LIMITS) {}

  add(exchange: Exchange): void {
    this.#kept.push(exchange);
    this.#characters += charactersOf(exchange);
    const { exchanges, characters } = this.limits;
    while (this.#kept.length > exchanges || (this.#characters > characters && this.#kept.length > 1))
      this.#characters -= charactersOf(this.#kept.shift()!);
  }

  get last(): Exchange | undefined {
    return this.#kept.at(-1);
  }

  all(): Exchange[] {
    return [...this.#kept];
  }
}

function charactersOf({ request: { url, body = '', body_base64 = '' }, response }: Exchange): number {
  return url.length + body.length + body_base64.length + (response?.body.length ?? 0);
}
