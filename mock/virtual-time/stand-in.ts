import { syncBuiltinESMExports } from 'node:module';

/** One property that is something else while stand-ins are in place. */
interface Swap {
  owner: object;
  name: PropertyKey;
  change: PropertyDescriptor;
  /** As it was when the stand-in took its place; undefined where the owner has it from its prototype. */
  before: PropertyDescriptor | undefined;
}

function isThere({ owner, name, change }: Swap): boolean {
  const current = Object.getOwnPropertyDescriptor(owner, name);
  return change.get ? current?.get === change.get : current !== undefined && current.value === change.value;
}

/**
 * Fake timers of vitest, jest and sinon, when they are taken away, delete what they do not know for one of their own or for
 * what they have found. They look for this mark.
 */
export function seenByFakeTimers<T extends object>(standIn: T): T {
  return Object.defineProperty(standIn, 'hadOwnProperty', {
    value: true,
    writable: true,
    configurable: true,
  });
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

  get arePut(): boolean {
    return this.#uses > 0;
  }

  put(): void {
    if (this.#uses++ > 0) return;
    for (const swap of this.#swaps) {
      const { owner, name, change } = swap;
      // Somebody may have put back the stand-in, which he has found once, after it was taken away.
      if (!swap.before || !isThere(swap)) swap.before = Object.getOwnPropertyDescriptor(owner, name);
      const enumerable = swap.before?.enumerable ?? true;
      Object.defineProperty(owner, name, { enumerable, configurable: true, ...change });
    }
    if (this.areExported) syncBuiltinESMExports();
  }

  takeAway(): void {
    if (this.#uses === 0 || --this.#uses > 0) return;
    for (const swap of this.#swaps) {
      const { owner, name, before } = swap;
      // What others have put there meanwhile, or put back, is theirs.
      if (name in owner && !isThere(swap)) continue;
      if (before) Object.defineProperty(owner, name, before);
      else delete (owner as Record<PropertyKey, unknown>)[name];
    }
    if (this.areExported) syncBuiltinESMExports();
  }

  #swap(owner: object, name: PropertyKey, change: PropertyDescriptor): void {
    this.#swaps.push({ owner, name, change, before: undefined });
  }
}
