import crypto, * as cryptoExports from 'node:crypto';
import fsPromises, * as fsPromisesExports from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import * as processExports from 'node:process';
import timers, * as timersExports from 'node:timers';
import timersPromises, * as timersPromisesExports from 'node:timers/promises';

type Owner = Record<PropertyKey, unknown>;
// biome-ignore lint/suspicious/noExplicitAny: each patch knows the type of the value it replaces
type PlatformValue = any;

/** A property of the platform that is replaced while patches are in place. */
interface Patch {
  /** Undefined if there is nothing to patch. */
  readonly owner: () => object | undefined;
  readonly name: string;
  readonly slot: 'value' | 'get';
  /** Creates the replacement, which calls `before` for code outside of runs. */
  readonly wrap: (before: PlatformValue) => unknown;
}

interface AppliedPatch {
  readonly owner: object;
  readonly patch: Patch;
  readonly wrapper: unknown;
  readonly before: PropertyDescriptor | undefined;
  /** The value that a module exports by this name, which can differ from the property; undefined without a module. */
  readonly exported: { before: unknown; wrapper: unknown } | undefined;
}

/** Modules whose functions can be imported by name, with the objects that hold them. */
const EXPORTS = new Map<object, object>([
  [timers, timersExports],
  [timersPromises, timersPromisesExports],
  [process, processExports],
  [crypto, cryptoExports],
  [fsPromises, fsPromisesExports],
]);

/** All replacements ever created, with their patches. */
const wrappers = new WeakMap<object, Set<Patch>>();

/** True if the property is replaced by a patch. */
export function isPatched(owner: object, name: string): boolean {
  return wrappers.has((owner as Owner)[name] as object);
}

export class Patches {
  readonly #patches: Patch[] = [];

  replace(owner: object, name: string, wrap: (before: PlatformValue) => unknown): void {
    this.add({ owner: () => owner, name, slot: 'value', wrap });
  }

  add(patch: Patch): void {
    this.#patches.push(patch);
  }

  /**
   * Installs replacements over the current values, except where one is already on top; returns a function that removes them. Replacements
   * that other code installed over them meanwhile stay. A replacement that other code restores later behaves like the original.
   */
  static apply(all: readonly Patches[]): () => void {
    const applied = all.flatMap((patches) => patches.#patches.flatMap((patch) => applyPatch(patch) ?? []));
    exportNames(applied, ({ wrapper }) => wrapper);
    return () => {
      exportNames(applied, ({ before }) => before);
      for (const { owner, patch, wrapper, before } of applied.reverse()) {
        const { name, slot } = patch;
        const now = Object.getOwnPropertyDescriptor(owner, name);
        if (name in owner && now?.[slot] !== wrapper) continue;
        if (before) Object.defineProperty(owner, name, before);
        else delete (owner as Owner)[name];
      }
    };
  }
}

function applyPatch(patch: Patch): AppliedPatch | undefined {
  const { name, slot } = patch;
  const owner = patch.owner();
  if (!owner) return undefined;
  const before = Object.getOwnPropertyDescriptor(owner, name);
  const value = slot === 'get' ? before?.get : (owner as Owner)[name];
  if (isWrapper(patch, value)) return undefined;
  const wrapper = createWrapper(patch, value);
  define(owner, name, slot, wrapper, before);
  const exports = EXPORTS.get(owner) as Owner | undefined;
  if (!exports || !(name in exports)) return { owner, patch, wrapper, before, exported: undefined };
  const own = exports[name];
  const ownWrapper = isWrapper(patch, own) ? own : createWrapper(patch, own);
  const exported = { before: own, wrapper: own === value ? wrapper : ownWrapper };
  return { owner, patch, wrapper, before, exported };
}

function isWrapper(patch: Patch, value: unknown): boolean {
  return wrappers.get(value as object)?.has(patch) === true;
}

/** Copies all properties of `before`: `promisify.custom`, and the marks by which fake timers detect their own functions. */
function createWrapper(patch: Patch, before: unknown): object {
  const wrapper = patch.wrap(before) as object;
  wrappers.set(wrapper, (wrappers.get(wrapper) ?? new Set()).add(patch));
  if (typeof wrapper !== 'function' || typeof before !== 'function') return wrapper;
  for (const key of Reflect.ownKeys(before)) {
    if (Object.hasOwn(wrapper, key) && key !== 'name') continue;
    Object.defineProperty(wrapper, key, Object.getOwnPropertyDescriptor(before, key)!);
  }
  return wrapper;
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

/** Sets the value for modules that import a function by its name; the properties of the module stay. */
function exportNames(
  applied: readonly AppliedPatch[],
  pick: (exported: NonNullable<AppliedPatch['exported']>) => unknown,
): void {
  const properties = applied.flatMap(({ owner, patch: { name }, exported }) => {
    if (!exported) return [];
    const property = Object.getOwnPropertyDescriptor(owner, name);
    define(owner, name, 'value', pick(exported), property);
    return { owner, name, property };
  });
  if (properties.length > 0) syncBuiltinESMExports();
  for (const { owner, name, property } of properties) {
    if (property) Object.defineProperty(owner, name, property);
    else delete (owner as Owner)[name];
  }
}
