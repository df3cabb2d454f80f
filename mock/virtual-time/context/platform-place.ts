import { clientNow } from './context.js';
import { isFake, isSpy } from './fakes.js';
import { dataOf, EXPORTS, type Owner, type State, states } from './place-state.js';

/**
 * One property of the platform that is something else for the client of a run, and for everybody else what it was. Who
 * sets it meanwhile (fake timers, MSW) does so outside of the run as if nothing were there; what a client sets holds for
 * all, until it sets back what it found. Whoever puts back the platform's own, or the stand-in that he found there,
 * whenever that is, puts back what was there without a run.
 */
export class PlatformPlace {
  #before: PropertyDescriptor | undefined;
  #state: State = { outside: undefined, found: undefined };
  #initial: unknown;
  #exported: { value: unknown } | undefined;
  /** Put there by somebody else with a getter of his own, as spies are; it leads on to ours. */
  #foreign: PropertyDescriptor | undefined;
  #isInUse = false;
  /** What it was before the platform's own was put back, where nothing was set since. */
  #replaced: State | undefined;
  #own: unknown;
  #ownBefore: PropertyDescriptor | undefined;
  readonly #inside: unknown;

  /**
   * @param own The platform's own, for where something fake is in place when this is made.
   * @param isForGood True while what is there within runs is there outside of them too.
   */
  constructor(
    private readonly owner: Owner,
    private readonly name: string,
    inside: (place: PlatformPlace) => unknown,
    own?: unknown,
    private readonly isForGood = () => false,
  ) {
    this.#inside = inside(this);
    const descriptor = Object.getOwnPropertyDescriptor(owner, name);
    const value = owner[name];
    const isOwn = own === undefined || !(isFake(value) || isSpy(value));
    this.#own = isOwn ? value : own;
    this.#ownBefore = isOwn || !descriptor ? descriptor : { ...dataOf(descriptor), value: own };
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
    return this.#state.isOfClient ? this.#state.outside : undefined;
  }

  /** Step one: modules that import the name get the stand-in, which asks at each call whose it is. */
  put(): void {
    const { owner, name } = this;
    const before = Object.getOwnPropertyDescriptor(owner, name);
    const last = before?.get && states.get(before.get);
    this.#before = last ? { ...dataOf(before), value: last.outside } : before;
    this.#initial = last ? last.outside : owner[name];
    if (this.isForGood()) {
      // It is what others find and put back.
      this.#own = this.#inside;
      this.#ownBefore = { ...dataOf(this.#ownBefore ?? {}), value: this.#own };
    } else if (this.#initial === this.#inside) {
      // Somebody has put it back after the run in which he found it.
      this.#initial = this.#own;
      this.#before = this.#ownBefore;
    }
    const isLeft =
      last !== undefined && last.outside !== this.#own && Boolean(last.isOfClient || last.isLeft);
    this.#state = { outside: this.#initial, found: isLeft ? last!.found : this.#initial, isLeft };
    this.#isInUse = true;
    this.#foreign = undefined;
    this.#replaced = undefined;
    const exports = EXPORTS.get(owner);
    this.#exported = exports && name in exports ? { value: exports[name] } : undefined;
    this.#define({ value: this.#inside, writable: true });
  }

  /** Step two: who reads the property gets what it is to him. */
  divide(): void {
    const state = this.#state;
    const get = () => {
      if (!this.#isInUse && !state.isOfClient && !state.isLeft) this.#heal(get, state);
      if (!clientNow() || state.isOfClient) return state.outside;
      return this.#inside;
    };
    const { owner, name } = this;
    const set = (value: unknown) => this.#set(value, state);
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

  /** Any time after: who has defined the property anew has done so for all but clients; it is there again if it is gone. */
  keepDivided(): void {
    const { get, value } = Object.getOwnPropertyDescriptor(this.owner, this.name) ?? { value: this.#own };
    if (get) {
      const state = states.get(get);
      if (state) this.#state = state;
      return;
    }
    const { found } = this.#state;
    this.#state = this.#putBack(value, found) ?? { outside: value, found };
    this.divide();
  }

  /** Step three: back to what the name stood for in modules. */
  takeAway(): void {
    this.keepDivided();
    const current = Object.getOwnPropertyDescriptor(this.owner, this.name);
    if (current?.get && !states.has(current.get)) this.#foreign = current;
    this.#isInUse = false;
    if (this.#exported) this.#define({ value: this.#exported.value, writable: true });
    else this.settle();
  }

  /** Step four: back to what it is, for all. */
  settle(): void {
    if (this.#foreign) Object.defineProperty(this.owner, this.name, this.#foreign);
    else this.#restore(this.#state);
  }

  #set(value: unknown, { found }: State): void {
    const isOfClient = this.#isInUse && clientNow() !== undefined;
    const replaced = this.#replaced;
    const putBack = this.#putBack(value, found);
    this.#replaced = value === this.#own ? this.#state : undefined;
    // A test runner takes the platform's own for the moment in which it reports, and sets back what it read before.
    const isBack =
      replaced && value === (isOfClient && !replaced.isOfClient ? this.#inside : replaced.outside);
    if (isBack) this.#state = replaced;
    else this.#state = putBack ?? { outside: value, found: isOfClient ? found : value, isOfClient };
    if (this.#isInUse) this.divide();
    else this.#setAfter(putBack !== undefined, found);
  }

  /** After its run, what a client has left is taken away, or something else set: seen for as long as the stand-in may come back. */
  #setAfter(isPutBack: boolean, found: unknown): void {
    const state = { ...this.#state, found, isLeft: true };
    this.#state = state;
    this.divide();
    if (!isPutBack) return;
    void Promise.resolve().then(() => {
      const { get } = Object.getOwnPropertyDescriptor(this.owner, this.name) ?? {};
      if (get && states.get(get) === state && !this.#isInUse) this.#restore({ ...state, isLeft: false });
    });
  }

  /** What it is once somebody has put back the platform's own, or ours, which is what a client finds. */
  #putBack(value: unknown, found: unknown): State | undefined {
    if (value === this.#own) return { outside: value, found: value };
    if (value === this.#inside) return { outside: found, found };
    return undefined;
  }

  /** A getter of ours that somebody puts back after its run goes when it is read. */
  #heal(get: () => unknown, state: State): void {
    if (Object.getOwnPropertyDescriptor(this.owner, this.name)?.get === get) this.#restore(state);
  }

  #restore(state: State): void {
    const { owner, name } = this;
    const { outside, isOfClient, isLeft } = state;
    // Whoever takes away what a client has left puts back what it found there: ours.
    if (isOfClient || (isLeft && outside === this.#initial)) {
      this.#state = state;
      this.divide();
      return;
    }
    // An accessor of the platform stays one whatever is set, as it does without a run.
    const isOwn = outside === this.#own || this.#ownBefore?.set !== undefined;
    const descriptor = outside === this.#initial ? this.#before : isOwn ? this.#ownBefore : undefined;
    if (descriptor) {
      Object.defineProperty(owner, name, descriptor);
      // The platform's own may be one that remembers what was set, as that of `performance` is.
      if (descriptor.set && owner[name] !== outside) owner[name] = outside;
    } else if (outside === this.#initial || outside === this.#own) delete owner[name];
    else this.#define({ value: outside, writable: true });
  }

  #define(change: PropertyDescriptor): void {
    const enumerable = (this.#before ?? this.#ownBefore)?.enumerable ?? false;
    Object.defineProperty(this.owner, this.name, { enumerable, configurable: true, ...change });
  }
}
