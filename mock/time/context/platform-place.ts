import * as processExports from 'node:process';
import timers, * as timersExports from 'node:timers';
import timersPromises, * as promisesExports from 'node:timers/promises';
import { clientNow } from './context.js';

export type Owner = Record<PropertyKey, unknown>;

/** Built-ins whose functions modules import by their names, and what those names stand for. */
const EXPORTS = new Map<unknown, Owner>([
  [timers, timersExports as unknown as Owner],
  [timersPromises, promisesExports as unknown as Owner],
  [process, processExports as unknown as Owner],
]);

/** What a property has been set to. */
interface State {
  /** What it is outside of runs. */
  readonly outside: unknown;
  /** What it was before a client set it. */
  readonly found: unknown;
  /** Where a client has set it. */
  readonly ofClient?: { value: unknown };
}

/** By getter: whoever sets a property may put back what he found, the getter itself, also after the run. */
const states = new WeakMap<object, State>();

/**
 * One property of the platform that is something else for the client of a run, and for everybody else what it was. Who
 * sets it meanwhile (fake timers, MSW) does so outside of the run as if nothing were there; what a client sets holds for
 * all, until it sets back what it found.
 */
export class PlatformPlace {
  #before: PropertyDescriptor | undefined;
  #state: State = { outside: undefined, found: undefined };
  #initial: unknown;
  #exported: { value: unknown } | undefined;
  readonly #inside: unknown;

  constructor(
    private readonly owner: Owner,
    private readonly name: string,
    inside: (place: PlatformPlace) => unknown,
    /** What is there within a run is the platform's own. */
    private readonly isOwn = false,
  ) {
    this.#inside = inside(this);
  }

  /** What it is outside of runs. */
  get outside(): unknown {
    return this.#state.outside;
  }

  /** What it was when the run began. */
  get found(): unknown {
    return this.#state.found;
  }

  /** What a client has set it to. */
  get ofClient(): unknown {
    return this.#state.ofClient?.value;
  }

  /** Step one: modules that import the name get the stand-in, which asks at each call whose it is. */
  put(): void {
    const { owner, name } = this;
    this.#before = asItWas(Object.getOwnPropertyDescriptor(owner, name));
    this.#initial = owner[name];
    this.#state = { outside: this.#initial, found: this.#initial };
    const exports = EXPORTS.get(owner);
    this.#exported = exports && name in exports ? { value: exports[name] } : undefined;
    this.#define({ value: this.#inside, writable: true });
  }

  /** Step two: who reads the property gets what it is to him. */
  divide(): void {
    const { owner, name } = this;
    const state = this.#state;
    const set = (value: unknown) => {
      this.#set(value);
      this.divide();
    };
    const get = () => {
      if (!clientNow()) return state.outside;
      return state.ofClient ? state.ofClient.value : this.#inside;
    };
    states.set(get, state);
    this.#define({
      get,
      set(this: unknown, value: unknown) {
        // A class that is made from this one, as fake dates are, has its own.
        if (this === owner || (typeof this !== 'object' && typeof this !== 'function')) set(value);
        else
          Object.defineProperty(this, name, { value, writable: true, enumerable: true, configurable: true });
      },
    });
  }

  /** Any time after: who has defined the property anew has done so for all but clients. */
  keepDivided(): void {
    const descriptor = Object.getOwnPropertyDescriptor(this.owner, this.name);
    if (!descriptor) return;
    const { get, value } = descriptor;
    const { found } = this.#state;
    const state = get ? states.get(get) : { outside: this.#isPutBack(value) ? found : value, found };
    if (!state || state === this.#state) return;
    this.#state = state;
    if (!get) this.divide();
  }

  /** Step three: back to what the name stood for in modules. */
  takeAway(): void {
    this.keepDivided();
    if (this.#exported) this.#define({ value: this.#exported.value, writable: true });
    else this.settle();
  }

  /** Step four: back to what it is, for all. */
  settle(): void {
    if (this.#before) Object.defineProperty(this.owner, this.name, this.#before);
    else delete this.owner[this.name];
    const { outside } = this.#state;
    if (outside !== this.#initial) this.owner[this.name] = outside;
  }

  #set(value: unknown): void {
    const { found } = this.#state;
    if (this.#isPutBack(value)) this.#state = { outside: found, found };
    else if (clientNow() && value !== this.#inside)
      this.#state = { outside: value, found, ofClient: { value } };
    else this.#state = { outside: value, found: value };
  }

  /** The stand-in is what a client has found: it puts back what was there. */
  #isPutBack(value: unknown): boolean {
    // Where it was there before the run (for good), it is what others put back as well.
    return value === this.#inside && !this.isOwn && this.#initial !== this.#inside;
  }

  #define(change: PropertyDescriptor): void {
    const enumerable = this.#before?.enumerable ?? false;
    Object.defineProperty(this.owner, this.name, { enumerable, configurable: true, ...change });
  }
}

/** A getter of ours that somebody has put back after its run is what it gives. */
function asItWas(before: PropertyDescriptor | undefined): PropertyDescriptor | undefined {
  const state = before?.get && states.get(before.get);
  if (!state) return before;
  return { value: state.outside, writable: true, enumerable: before.enumerable ?? true, configurable: true };
}
