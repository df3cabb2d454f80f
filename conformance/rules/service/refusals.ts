import type { ReadExchange } from '../../conversation/read-exchange.js';
import type { RuleFinding } from '../rule.js';

interface RefusedEvent {
  exchange: ReadExchange;
  message: string;
  /** The id of the refused event. */
  about: string;
  /** `seq` of the first poll after it that shows a running task. */
  shownBy?: number;
}

/**
 * RefusedEvents of valid events by a task that is running afterwards. They are listed at the end only: of two requests with the
 * same id at once one may be refused, and the response to the other may come after the poll.
 */
export class RefusedEvents {
  readonly #refusals: RefusedEvent[] = [];

  constructor(private readonly most: number) {}

  add(refusal: RefusedEvent): void {
    if (this.#refusals.length < this.most) this.#refusals.push(refusal);
  }

  observe(exchange: ReadExchange): void {
    if (!exchange.is('getTask') || exchange.status !== 'running') return;
    for (const each of this.#refusals) if (exchange.canKnow(each.exchange)) each.shownBy ??= exchange.seq;
  }

  /** `isAccepted`: whether another request with this id was accepted. */
  list(isAccepted: (id: string) => boolean): RuleFinding[] {
    return this.#refusals.flatMap(({ exchange, message, about, shownBy }) =>
      shownBy === undefined || isAccepted(about)
        ? []
        : [{ message, about, evidence: [exchange.seq, shownBy] }],
    );
  }
}
