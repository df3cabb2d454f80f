import { isTerminal, type TerminalStatus } from '../../../spec/vocabulary.js';
import { field } from '../../conversation/json.js';
import type { ReadExchange } from '../../conversation/read-exchange.js';

/** How the client learnt that a task is over. */
export class Ending {
  status: TerminalStatus | undefined;
  /** The poll that said so. */
  seq = 0;
  answeredAt = Number.POSITIVE_INFINITY;
  /** The last answer said that there is a recording, or that there will be none: nothing is left to ask for. */
  complete = false;

  /** To be shown every exchange about the task. */
  see(exchange: ReadExchange): void {
    if (!exchange.is('getTask')) return;
    const { status, record } = exchange;
    if (status === undefined || !isTerminal(status)) return;
    this.complete = typeof field(record, 'recording_url') === 'string';
    if (this.status !== undefined) return;
    this.status = status;
    this.seq = exchange.seq;
    this.answeredAt = exchange.answeredAt;
  }

  /** True when the client knew of the end as it sent this request. */
  isKnownTo(exchange: ReadExchange): boolean {
    return this.status !== undefined && exchange.couldKnow(this);
  }
}
