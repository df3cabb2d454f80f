import type { ReadExchange } from '../conversation/read-exchange.js';

/** What the exchanges of a task come to, for rules that ask about more than one of them. */
export interface Book {
  /** To be shown every exchange about the task. */
  see(exchange: ReadExchange): void;
}

/** The books of one task, one of each kind for all its rules. */
export class Books {
  readonly #kept: Book[] = [];

  /** The book of that kind. A rule that is shown an exchange finds in it what was before. */
  of<T extends Book>(kind: new () => T): T {
    const known = this.#kept.find((book): book is T => book instanceof kind);
    if (known) return known;
    const book = new kind();
    this.#kept.push(book);
    return book;
  }

  /** To be told after the rules. */
  see(exchange: ReadExchange): void {
    for (const book of this.#kept) book.see(exchange);
  }
}
