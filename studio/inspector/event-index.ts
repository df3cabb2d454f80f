import type { Exchange } from '../../spec/vocabulary.js';
import { readExchange } from '../sequence/exchange-row.js';

const indexes = new WeakMap<readonly Exchange[], ReadonlyMap<string, number>>();

/** `seq` of the first exchange that lists or sends each event, by the id of the event. */
export function indexEvents(exchanges: readonly Exchange[]): ReadonlyMap<string, number> {
  const known = indexes.get(exchanges);
  if (known) return known;
  const index = new Map<string, number>();
  indexes.set(exchanges, index);
  for (const exchange of exchanges) {
    const { events, action } = readExchange(exchange);
    for (const id of [action?.id, ...events.map((event) => event.id)])
      if (typeof id === 'string' && !index.has(id)) index.set(id, exchange.seq);
  }
  return index;
}
