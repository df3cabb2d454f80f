/**
 * Records of one kind, by id, in the order in which they were made. Bounded: what is beyond `limit` is refused, so that
 * a mock left running does not grow.
 */
export class Table<T> {
  #records = new Map<string, T>();

  constructor(
    readonly kind: string,
    readonly limit: number,
  ) {}

  get size(): number {
    return this.#records.size;
  }

  get full(): boolean {
    return this.#records.size >= this.limit;
  }

  /** Adds or replaces. Throws TableFull when a new record would go beyond the limit. */
  set(id: string, record: T): T {
    if (this.full && !this.#records.has(id)) throw new TableFull(this.kind, this.limit);
    this.#records.set(id, record);
    return record;
  }

  get(id: string): T | undefined {
    return this.#records.get(id);
  }

  has(id: string): boolean {
    return this.#records.has(id);
  }

  delete(id: string): boolean {
    return this.#records.delete(id);
  }

  list(): T[] {
    return [...this.#records.values()];
  }

  /** For snapshots. */
  entries(): [string, T][] {
    return [...this.#records];
  }

  restore(entries: readonly (readonly [string, T])[]): void {
    this.#records = new Map(entries);
  }
}

/** Too many records of one kind in one organisation. The API answers it with 400. */
export class TableFull extends Error {
  constructor(kind: string, limit: number) {
    super(`This organisation holds ${limit} ${kind} already, the most this mock keeps. Delete some first.`);
    this.name = 'TableFull';
  }
}
