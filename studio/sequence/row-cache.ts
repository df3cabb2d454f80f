import type { Exchange } from '../../spec/vocabulary.js';
import type { ExchangeRow } from './layout.js';

interface CachedRow {
  /** The exchange before: what a row says depends on those before it. */
  previous: Exchange | undefined;
  row: ExchangeRow;
  /** What it made known to the rows after it. */
  added: readonly string[];
}

/** A conversation grows at its end: what was laid out before is not read again. */
const cache = new WeakMap<Exchange, CachedRow>();

/** A row for each exchange, made by `make` or, as a copy, from the cache. `known`: what the rows before have shown. */
export function makeRows(
  exchanges: readonly Exchange[],
  make: (exchange: Exchange, known: Set<string>) => ExchangeRow,
): ExchangeRow[] {
  const known = new Set<string>();
  let previous: Exchange | undefined;
  // The first that differs changes those after it.
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

/** A row, and what making it has added to `known`. */
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
