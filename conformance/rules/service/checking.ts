import type { ReadExchange } from '../../conversation/read-exchange.js';
import type { Complaint, Watcher } from '../rule.js';

/** Witnesses kept of a rule. */
const MOST_HELD = 20;

/** `seq` of exchanges that showed a rule to be kept, the first ones. */
export class Held {
  readonly seqs: number[] = [];

  add(seq: number): void {
    if (this.seqs.length < MOST_HELD && !this.seqs.includes(seq)) this.seqs.push(seq);
  }
}

/**
 * What one exchange shows of a rule: `kept`, the words of a complaint, or nothing at all.
 */
export type Shown = 'kept' | { broken: string; about?: string } | undefined;

/** For rules that look at one answer at a time. `look` is spared the answers that are not the service's own. */
export function checking(look: (exchange: ReadExchange) => Shown): () => Watcher {
  return () => {
    const held = new Held();
    return {
      held: held.seqs,
      see(exchange) {
        if (!isOwnAnswer(exchange)) return [];
        const shown = look(exchange);
        if (shown === 'kept') held.add(exchange.seq);
        return typeof shown === 'object' ? [complaint(shown, [exchange.seq])] : [];
      },
    };
  };
}

function complaint({ broken, about }: { broken: string; about?: string }, evidence: number[]): Complaint {
  return about === undefined ? { message: broken, evidence } : { message: broken, evidence, about };
}

/** What the network does to an exchange without touching what is in it. */
const HARMLESS = /^(?:answer )?(?:delayed|held|let go)\b/;

/** There is an answer, and nothing between the two sides made or changed it. */
export function isOwnAnswer({ exchange }: ReadExchange): boolean {
  return exchange.response !== undefined && !exchange.network?.some((note) => !HARMLESS.test(note));
}

/** HTTP status; 0 without an answer. */
export function statusOf({ exchange }: ReadExchange): number {
  return exchange.response?.status ?? 0;
}

/** The request itself was refused: neither for want of a right nor because there were too many. */
export function isRefused(exchange: ReadExchange): boolean {
  const status = statusOf(exchange);
  return status >= 400 && status < 500 && ![401, 403, 408, 429].includes(status);
}

/** The body of the request as JSON; undefined when it is none. */
export function requestOf({ requestBody }: ReadExchange): unknown {
  return requestBody.state === 'json' ? requestBody.value : undefined;
}

/** The body of the answer as JSON; undefined when it is none. */
export function answerOf({ responseBody }: ReadExchange): unknown {
  return responseBody.state === 'json' ? responseBody.value : undefined;
}

/** When something was answered, for `couldKnow`. */
export interface Moment {
  seq: number;
  answeredAt: number;
}

export function momentOf({ seq, answeredAt }: ReadExchange): Moment {
  return { seq, answeredAt };
}
