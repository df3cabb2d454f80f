/** Makes names unique: `name`, `name-2`, `name-3`. */
export class UniqueNames {
  readonly #used: Set<string>;
  /** The next number to try, by base name. */
  readonly #next = new Map<string, number>();

  constructor(used: readonly string[] = []) {
    this.#used = new Set(used);
  }

  reserve(base: string): string {
    let name = base;
    let n = this.#next.get(base) ?? 2;
    for (; this.#used.has(name); n++) name = `${base}-${n}`;
    this.#next.set(base, n);
    this.#used.add(name);
    return name;
  }
}
