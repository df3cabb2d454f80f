/** Names of which each is given once: `name`, `name-2`, `name-3`. */
export class UniqueNames {
  readonly #taken: Set<string>;
  /** The next number to try, by the name without one. */
  readonly #next = new Map<string, number>();

  constructor(taken: readonly string[] = []) {
    this.#taken = new Set(taken);
  }

  take(base: string): string {
    let name = base;
    let n = this.#next.get(base) ?? 2;
    for (; this.#taken.has(name); n++) name = `${base}-${n}`;
    this.#next.set(base, n);
    this.#taken.add(name);
    return name;
  }
}
