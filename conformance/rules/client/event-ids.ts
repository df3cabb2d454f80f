import { show } from '../../conversation/json.js';
import { KeptValue } from '../../conversation/kept-value.js';
import type { ReadExchange, SentEvent } from '../../conversation/read-exchange.js';
import { isReplyShaped } from '../../conversation/reply.js';
import type { Books } from '../books.js';
import type { Complaint, Watcher } from '../rule.js';
import { Calls } from './calls.js';

/** Actions remembered of a task; the oldest go. */
const MOST_ACTIONS = 10_000;

interface Sent {
  seq: number;
  answeredAt: number;
  confirmed: boolean;
  /** Name and payload: a repetition may have a timestamp of its own. */
  said: KeptValue;
}

/**
 * Ids that are used twice. An action may be sent again as it was as long as the client cannot know that it was
 * accepted: the answer was lost, late, unreadable or an error.
 */
export function repeatedId(books: Books): Watcher {
  const calls = books.of(Calls);
  const actions = new Map<string, Sent>();
  function check(id: string, event: SentEvent, exchange: ReadExchange): Complaint[] {
    const sent: Sent = {
      seq: exchange.seq,
      answeredAt: exchange.answeredAt,
      confirmed: exchange.ok && !exchange.unclear,
      said: new KeptValue([event.name, event.payload], exchange),
    };
    const call = calls.known.get(id);
    if (call) return [complain(id, 'is that of a tool call', [call.seq, exchange.seq])];
    const other = actions.get(id);
    remember(id, sent, other);
    if (!other) return [];
    const [first, second] = other.seq < sent.seq ? [other, sent] : [sent, other];
    const evidence = [first.seq, second.seq];
    if (first.said.print !== second.said.print)
      return [complain(id, 'was given to another action before', evidence)];
    const secondKnew = first.answeredAt <= exchange.at && second === sent;
    return first.confirmed && secondKnew ? [complain(id, 'was sent and confirmed before', evidence)] : [];
  }
  function remember(id: string, sent: Sent, other: Sent | undefined): void {
    if (other?.confirmed) return;
    actions.set(id, sent);
    if (actions.size > MOST_ACTIONS) actions.delete(actions.keys().next().value!);
  }
  return {
    see(exchange) {
      const { sent } = exchange;
      const isAction = sent && sent.name !== 'tool_call' && !isReplyShaped(sent.payload);
      return isAction && typeof sent.id === 'string' ? check(sent.id, sent, exchange) : [];
    },
  };
}

function complain(id: string, what: string, evidence: number[]): Complaint {
  const message = `The id ${show(id)} of an action ${what}. Give each action an id that no other event of the task has: results are told apart by it.`;
  return { message, evidence, about: id };
}
