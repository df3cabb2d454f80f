import { ReadExchange } from '../../conformance/conversation/read-exchange.js';
import type { Exchange } from '../../spec/vocabulary.js';

/** `seq` of the first exchange that lists or sends each event, by the id of the event. */
export function indexEvents(exchanges: readonly Exchange[]): ReadonlyMap<string, number> {
  const index = new Map<string, number>();
  for (const exchange of exchanges) {
    const { events, action } = new ReadExchange(exchange);
    for (const id of [action?.id, ...events.map((event) => event.id)])
      if (typeof id === 'string' && !index.has(id)) index.set(id, exchange.seq);
  }
  return index;
}
