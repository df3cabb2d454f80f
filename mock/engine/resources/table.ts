/**
 * Records of one kind, by id, in the order in which they were made. Bounded: a record beyond `limit` is refused, so that
 * a mock left running does not grow.
 */
export class Table<T> extends Map<string, T> {
  constructor(
    readonly kind: string,
    readonly limit: number,
  ) {
    super();
  }

  get full(): boolean {
    return this.size >= this.limit;
  }

  /** Adds or replaces. Throws TableFull when a new record would go beyond the limit. */
  override set(id: string, record: T): this {
    if (this.full && !this.has(id)) throw new TableFull(this.kind, this.limit);
    return super.set(id, record);
  }

  /** The same, and gives the record back. */
  add(id: string, record: T): T {
    this.set(id, record);
    return record;
  }

  list(): T[] {
    return [...this.values()];
  }

  restore(entries: readonly (readonly [string, T])[]): void {
    this.clear();
    for (const [id, record] of entries) super.set(id, record);
  }
}

/** Too many records of one kind in one organisation. The API responds with 400. */
export class TableFull extends Error {
  override readonly name = 'TableFull';

  constructor(kind: string, limit: number) {
    super(`This organisation holds ${limit} ${kind} already, the most this mock keeps. Delete some first.`);
  }
}
