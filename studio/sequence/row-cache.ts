import type { Exchange } from '../../spec/vocabulary.js';
import type { ExchangeRow } from './rows.js';

interface CachedRow {
  /** The previous exchange: a row depends on all exchanges before it. */
  previous: Exchange | undefined;
  row: ExchangeRow;
  /** The keys that it added to `known`. */
  added: readonly string[];
}

/** Avoids work: a conversation grows only at its end. */
const cache = new WeakMap<Exchange, CachedRow>();

/** A row for each exchange, made by `make` or copied from the cache. `known`: keys of what earlier rows have shown. */
export function makeRows(
  exchanges: readonly Exchange[],
  make: (exchange: Exchange, known: Set<string>) => ExchangeRow,
): ExchangeRow[] {
  const known = new Set<string>();
  let previous: Exchange | undefined;
  // After the first difference, no cached row is valid.
  let isSame = true;
  return exchanges.map((exchange) => {
    const cached = cache.get(exchange);
    isSame &&= cached !== undefined && cached.previous === previous;
    const entry = isSame ? cached! : { previous, ...makeTracked(known, (noting) => make(exchange, noting)) };
    for (const key of entry.added) known.add(key);
    if (!isSame) cache.set(exchange, entry);
    previous = exchange;
    return { ...entry.row };
  });
}

function makeTracked(known: ReadonlySet<string>, make: (known: Set<string>) => ExchangeRow) {
  const own = new TrackingSet(known);
  const row = make(own);
  return { row, added: own.added };
}

class TrackingSet extends Set<string> {
  readonly added: string[] = [];

  constructor(private readonly before: ReadonlySet<string>) {
    super();
  }

  override has(key: string): boolean {
    return super.has(key) || this.before.has(key);
  }

  override add(key: string): this {
    if (!this.has(key)) this.added.push(key);
    return super.add(key);
  }
}
