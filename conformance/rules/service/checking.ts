import type { ReadExchange } from '../../conversation/read-exchange.js';
import type { ActionAttempt, SentAction } from '../../conversation/task-conversation.js';
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

/** For rules that look at one response at a time. */
export function checking(look: (exchange: ReadExchange) => Shown): () => Watcher {
  return () => {
    const held = new Held();
    return {
      held: held.seqs,
      see(exchange) {
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

/** The body of the request as JSON; undefined when it is none. */
export function requestOf({ requestBody }: ReadExchange): unknown {
  return requestBody.state === 'json' ? requestBody.value : undefined;
}

/** The body of the answer as JSON; undefined when it is none. */
export function answerOf({ responseBody }: ReadExchange): unknown {
  return responseBody.state === 'json' ? responseBody.value : undefined;
}

/** The first attempt that was accepted. */
export function acceptedOf({ attempts }: SentAction): ActionAttempt | undefined {
  return attempts.find(({ isAccepted }) => isAccepted);
}
