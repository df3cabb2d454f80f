import type { ReadExchange } from '../../conversation/read-exchange.js';
import type { Books } from '../books.js';
import type { Watcher } from '../rule.js';
import { Calls } from './calls.js';
import { Timestamps } from './timestamps.js';

/** Events may be so close that a client which reads a little again on purpose asks for the first by chance, ms. */
const BY_CHANCE_MS = 2;

/**
 * A cursor that stands at the first of several events although all of them have been dealt with. Only calls show that:
 * each has its reply by then.
 */
export function standsAtFirst(books: Books): Watcher {
  const calls = books.of(Calls);
  const known = books.of(Timestamps);
  let last: { seq: number; first: number; newest: number; ids: string[] } | undefined;
  function check(exchange: ReadExchange) {
    if (!last || exchange.cursor.value !== last.first || known.isLastListed(last.first)) return [];
    const { seq, first, newest, ids } = last;
    const replies = ids.map((id) => calls.known.get(id)?.reply);
    if (replies.some((reply) => reply === undefined)) return [];
    const message = `event_t is ${first}, the timestamp of the first of the ${ids.length} events in exchange ${seq}, although all of them have been dealt with: the others come again. Send the timestamp of the last, ${newest}.`;
    return [{ message, evidence: [seq, exchange.seq] }];
  }
  return {
    see(exchange) {
      const complaints = check(exchange);
      last = severalIn(exchange) ?? last;
      return complaints;
    },
  };
}

/** The events of an answer with several calls that are apart in time. */
function severalIn({ events, seq }: ReadExchange) {
  if (events.length < 2 || events.some(({ name }) => name !== 'tool_call')) return undefined;
  const times = events.map(({ timestamp }) => timestamp ?? Number.NaN);
  const first = times[0]!;
  const newest = Math.max(...times);
  // Where they are out of order the first may be the last.
  if (!(newest - first >= BY_CHANCE_MS) || newest !== times.at(-1)) return undefined;
  return { seq, first, newest, ids: events.flatMap(({ id }) => id ?? []) };
}
