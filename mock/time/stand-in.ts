import { syncBuiltinESMExports } from 'node:module';

/** One property that is something else while stand-ins are in place. */
interface Swap {
  owner: object;
  name: PropertyKey;
  change: PropertyDescriptor;
  /** As it was when the stand-in took its place; undefined where the owner has it from its prototype. */
  before: PropertyDescriptor | undefined;
}

/**
 * Stand-ins for functions of the platform: in place between `put` and `takeAway`, which may be nested. Modules that
 * import a built-in's function by its name get the stand-in as well.
 */
export class StandIns {
  #swaps: Swap[] = [];
  #uses = 0;

  /** @param areExported Modules can import what they stand in for by its name. */
  constructor(private readonly areExported = true) {}

  /** Puts `value` in place of `owner[name]`; whether it can be seen in a list stays as it was. */
  replace(owner: object, name: PropertyKey, value: unknown): void {
    this.#swap(owner, name, { value, writable: true });
  }

  replaceGetter(owner: object, name: PropertyKey, get: (this: unknown) => unknown): void {
    this.#swap(owner, name, { get });
  }

  /** In the same way, told of every value that is set. */
  replaceAccessor(
    owner: object,
    name: PropertyKey,
    get: (this: unknown) => unknown,
    set: (this: object, value: never) => void,
  ): void {
    this.#swap(owner, name, { get, set });
  }

  /** What takes whose place, one after the other. */
  list(): readonly { owner: object; name: PropertyKey; change: PropertyDescriptor }[] {
    return this.#swaps;
  }

  put(): void {
    if (this.#uses++ > 0) return;
    for (const swap of this.#swaps) {
      const { owner, name, change } = swap;
      swap.before = Object.getOwnPropertyDescriptor(owner, name);
      const enumerable = swap.before?.enumerable ?? true;
      Object.defineProperty(owner, name, { enumerable, configurable: true, ...change });
    }
    if (this.areExported) syncBuiltinESMExports();
  }

  takeAway(): void {
    if (this.#uses === 0 || --this.#uses > 0) return;
    for (const { owner, name, before } of this.#swaps) {
      if (before) Object.defineProperty(owner, name, before);
      else delete (owner as Record<PropertyKey, unknown>)[name];
    }
    if (this.areExported) syncBuiltinESMExports();
  }

  #swap(owner: object, name: PropertyKey, change: PropertyDescriptor): void {
    this.#swaps.push({ owner, name, change, before: undefined });
  }
}
