import crypto, * as cryptoExports from 'node:crypto';
import fsPromises, * as fsPromisesExports from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import * as processExports from 'node:process';
import timers, * as timersExports from 'node:timers';
import timersPromises, * as timersPromisesExports from 'node:timers/promises';

type Owner = Record<PropertyKey, unknown>;
// biome-ignore lint/suspicious/noExplicitAny: each patch knows the type of what it replaces
type Replaced = any;

/** A property of the platform that is replaced while patches are in place. */
interface Patch {
  /** Undefined where there is nothing to patch. */
  readonly owner: () => object | undefined;
  readonly name: string;
  readonly slot: 'value' | 'get';
  /** Makes the replacement, which calls `before` for code outside of runs. */
  readonly wrap: (before: Replaced) => unknown;
  /** The platform's own function: other code may restore it during a run. */
  readonly own?: unknown;
}

interface Applied {
  readonly patch: Patch;
  readonly owner: object;
  readonly wrapper: unknown;
  readonly before: PropertyDescriptor | undefined;
  /** It wraps a foreign replacement that wraps one of our replacements. */
  readonly isOnTop: boolean;
}

/** Modules whose functions can be imported by name, with the objects that hold them. */
const EXPORTS = new Map<object, object>([
  [timers, timersExports],
  [timersPromises, timersPromisesExports],
  [process, processExports],
  [crypto, cryptoExports],
  [fsPromises, fsPromisesExports],
]);

/** All replacements ever made: other code may restore one after its run. */
const wrappers = new WeakMap<object, Applied[]>();

/** True for a replacement of ours. */
export function isPatched(owner: object, name: string): boolean {
  return wrappers.has((owner as Owner)[name] as object);
}

/** Has whatever `before` has: `promisify.custom`, and the marks by which fake timers know their own. */
function wrapperOver({ wrap }: Patch, before: unknown): object {
  const wrapper = wrap(before) as object;
  if (typeof wrapper !== 'function' || typeof before !== 'function') return wrapper;
  for (const key of Reflect.ownKeys(before)) {
    if (Object.hasOwn(wrapper, key) && key !== 'name') continue;
    Object.defineProperty(wrapper, key, Object.getOwnPropertyDescriptor(before, key)!);
  }
  return wrapper;
}

/**
 * Patches of the platform, in place while they have a holder. What other code puts over them or restores meanwhile is
 * theirs; a replacement that is left behind acts as what it replaced, and the next run takes it away.
 */
export class Patches {
  readonly #patches: Patch[] = [];
  #applied: Applied[] = [];
  #holders = 0;

  /** Replaces a function. `own`: the platform's own, where `owner` may have a fake one already. */
  replace(
    owner: object,
    name: string,
    wrap: (before: Replaced) => unknown,
    own: unknown = (owner as Owner)[name],
  ): void {
    this.add({ owner: () => owner, name, slot: 'value', wrap, own });
  }

  add(patch: Patch): void {
    this.#patches.push(patch);
  }

  /** Puts the patches in place; returns what takes them away once the last holder is gone. */
  hold(): () => void {
    if (this.#holders++ === 0) this.apply();
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#holders--;
      this.#restore();
    };
  }

  /** Puts the patches over replacements that other code has put over them. */
  apply(): void {
    this.#apply(() => true);
  }

  /** Puts the patches in place again where other code has restored or deleted the platform's function. */
  reapply(): void {
    this.#apply(({ own }, value) => value === undefined || (own !== undefined && value === own));
  }

  #apply(isWanted: (patch: Patch, value: unknown) => boolean): void {
    const isFirst = this.#applied.length === 0;
    let hasNames = false;
    for (const patch of this.#patches) {
      const { name, slot } = patch;
      const owner = patch.owner();
      if (!owner) continue;
      const before = Object.getOwnPropertyDescriptor(owner, name);
      const value = slot === 'get' ? before?.get : (owner as Owner)[name];
      const former = wrappers.get(value as object)?.find((applied) => applied.patch === patch);
      if (former) {
        // Other code restored it after its run: remove it with this one.
        if (!this.#applied.includes(former)) this.#applied.push(former);
        continue;
      }
      if (!isWanted(patch, value)) continue;
      const wrapper = wrapperOver(patch, value);
      const isOnTop = this.#applied.some((applied) => applied.patch === patch);
      const applied = { patch, owner, wrapper, before, isOnTop };
      wrappers.set(wrapper, [...(wrappers.get(wrapper) ?? []), applied]);
      this.#applied.push(applied);
      define(owner, name, slot, wrapper, before);
      hasNames ||= EXPORTS.has(owner);
    }
    if (isFirst && hasNames) this.#exportWrappers();
  }

  /** Modules that import a function by its name get the replacement as well. */
  #exportWrappers(): void {
    for (const { patch, owner, wrapper, before } of this.#applied) {
      const exports = EXPORTS.get(owner) as Owner | undefined;
      if (!exports || !(patch.name in exports)) continue;
      const own = exports[patch.name];
      const isSame = own === (before ? before.value : (owner as Owner)[patch.name]);
      names.set(patch, { own, now: isSame ? wrapper : wrapperOver(patch, own) });
    }
    exportNames();
  }

  #restore(): void {
    const isLast = this.#holders === 0;
    if (!isLast && !this.#applied.some(({ isOnTop }) => isOnTop)) return;
    for (const applied of this.#applied.reverse()) {
      const { patch, owner, wrapper, before, isOnTop } = applied;
      if (!isLast && !isOnTop) continue;
      const { name, slot } = patch;
      const now = Object.getOwnPropertyDescriptor(owner, name);
      // What others have put there meanwhile is theirs.
      if (name in owner && now?.[slot] !== wrapper) continue;
      if (before) Object.defineProperty(owner, name, before);
      else delete (owner as Owner)[name];
    }
    if (isLast) this.#exportOwn();
    this.#applied = isLast ? [] : this.#applied.reverse().filter(({ isOnTop }) => !isOnTop);
  }

  #exportOwn(): void {
    const patches = this.#patches.filter((patch) => names.has(patch));
    if (patches.length === 0) return;
    for (const name of patches.map((patch) => names.get(patch)!)) name.now = name.own;
    exportNames();
    for (const patch of patches) names.delete(patch);
  }
}

function define(
  owner: object,
  name: string,
  slot: 'value' | 'get',
  wrapper: unknown,
  before: PropertyDescriptor | undefined,
): void {
  const { enumerable = true } = before ?? {};
  const change = slot === 'get' ? { get: wrapper as () => unknown } : { value: wrapper, writable: true };
  Object.defineProperty(owner, name, { enumerable, configurable: true, ...change });
}

/** The original and current values of names exported by built-in modules; they can differ from the properties. */
const names = new Map<Patch, { own: unknown; now: unknown }>();

function exportNames(): void {
  const properties = [...names].map(([{ owner, name }, { now }]) => {
    const property = Object.getOwnPropertyDescriptor(owner()!, name);
    define(owner()!, name, 'value', now, property);
    return { owner: owner()!, name, property };
  });
  syncBuiltinESMExports();
  for (const { owner, name, property } of properties) {
    if (property) Object.defineProperty(owner, name, property);
    else delete (owner as Owner)[name];
  }
}
