import { syncBuiltinESMExports } from 'node:module';
import * as processExports from 'node:process';
import timers, * as timersExports from 'node:timers';
import timersPromises, * as promisesExports from 'node:timers/promises';
import { real, timeStandIns } from '../platform.js';
import { StandIns } from '../stand-in.js';
import { clientNow } from './context.js';
import { fetchInRun } from './fetch-in-run.js';

type Owner = Record<PropertyKey, unknown>;

/** Built-ins whose functions modules import by their names, and what those names stand for. */
const EXPORTS = new Map<unknown, Owner>([
  [timers, timersExports as unknown as Owner],
  [timersPromises, promisesExports as unknown as Owner],
  [process, processExports as unknown as Owner],
]);

/**
 * One property of the platform that is something else for the client of a run, and for everybody else what it was. Who
 * sets it meanwhile (fake timers, MSW) does so outside of the run as if nothing were there; what a client sets holds for
 * all, until it sets back what it found.
 */
class PlatformPlace {
  #before: PropertyDescriptor | undefined;
  #outside: unknown;
  #found: unknown;
  #initial: unknown;
  #ofClient: { value: unknown } | undefined;
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
    return this.#outside;
  }

  /** What it was when the run began. */
  get found(): unknown {
    return this.#found;
  }

  /** What a client has set it to. */
  get ofClient(): unknown {
    return this.#ofClient?.value;
  }

  /** Step one: modules that import the name get the stand-in, which asks at each call whose it is. */
  put(): void {
    const { owner, name } = this;
    this.#before = Object.getOwnPropertyDescriptor(owner, name);
    this.#outside = owner[name];
    this.#found = this.#outside;
    this.#initial = this.#outside;
    this.#ofClient = undefined;
    const exports = EXPORTS.get(owner);
    this.#exported = exports && name in exports ? { value: exports[name] } : undefined;
    this.#define({ value: this.#inside, writable: true });
  }

  /** Step two: who reads the property gets what it is to him. */
  divide(): void {
    const { owner, name } = this;
    const set = (value: unknown) => this.#set(value);
    this.#define({
      get: () => {
        if (!clientNow()) return this.#outside;
        return this.#ofClient ? this.#ofClient.value : this.#inside;
      },
      set(this: unknown, value: unknown) {
        // A class that is made from this one, as fake dates are, has its own.
        if (this === owner || (typeof this !== 'object' && typeof this !== 'function')) set(value);
        else
          Object.defineProperty(this, name, { value, writable: true, enumerable: true, configurable: true });
      },
    });
  }

  /** Step three: back to what the name stood for in modules. */
  takeAway(): void {
    const { get, value } = Object.getOwnPropertyDescriptor(this.owner, this.name) ?? {};
    // Whoever has defined it anew keeps it so.
    if (!get && value !== this.#inside) this.#outside = value;
    if (this.#exported) this.#define({ value: this.#exported.value, writable: true });
    else this.settle();
  }

  /** Step four: back to what it is, for all. */
  settle(): void {
    if (this.#before) Object.defineProperty(this.owner, this.name, this.#before);
    else delete this.owner[this.name];
    if (this.#outside !== this.#initial) this.owner[this.name] = this.#outside;
  }

  #set(value: unknown): void {
    this.#ofClient = undefined;
    // Where the stand-in was there before the run (for good), it is what others put back as well.
    const isForGood = this.#initial === this.#inside;
    if (value === this.#inside && !this.isOwn && !isForGood) this.#outside = this.#found;
    else {
      this.#outside = value;
      if (clientNow() && value !== this.#inside) this.#ofClient = { value };
      else this.#found = value;
    }
  }

  #define(change: PropertyDescriptor): void {
    const enumerable = this.#before?.enumerable ?? false;
    Object.defineProperty(this.owner, this.name, { enumerable, configurable: true, ...change });
  }
}

/** Older versions of Node.js do not know where a microtask came from that throws. */
function queueMicrotaskInRun(callback: () => void): void {
  const run = clientNow();
  if (!run || typeof callback !== 'function') {
    real.queueMicrotask(callback);
    return;
  }
  real.queueMicrotask(() => {
    try {
      callback();
    } catch (error) {
      run.crashed(error);
    }
  });
}

/** Those that read no time: a client must not get the fake ones that a test around it goes by. */
const NOT_FAKE: [owner: object, name: string, value: unknown][] = [
  [globalThis, 'setImmediate', real.setImmediate],
  [globalThis, 'clearImmediate', real.clearImmediate],
  [timers, 'setImmediate', real.setImmediate],
  [timers, 'clearImmediate', real.clearImmediate],
  [timersPromises, 'setImmediate', real.immediate],
  [globalThis, 'performance', real.performance],
  [globalThis, 'queueMicrotask', queueMicrotaskInRun],
];

const timePlaces = timeStandIns
  .list()
  .flatMap(({ owner, name, change }) =>
    'value' in change ? [new PlatformPlace(owner as Owner, name as string, () => change.value)] : [],
  );
/** They ask themselves, each time that they are read, whose they are. */
const getters = new StandIns();
for (const { owner, name, change } of timeStandIns.list())
  if (change.get) getters.replaceGetter(owner, name, change.get);
const notFakePlaces = NOT_FAKE.map(
  ([owner, name, value]) => new PlatformPlace(owner as Owner, name, () => value, true),
);
const fetchPlace = new PlatformPlace(globalThis as unknown as Owner, 'fetch', (place) =>
  fetchInRun(
    () => place.outside as typeof fetch,
    () => place.found as typeof fetch,
  ),
);
const places = [...timePlaces, ...notFakePlaces, fetchPlace];

let uses = 0;

/** Puts virtual time in place for the clients of runs, and for nobody else. */
export function putForClients(): void {
  if (uses++ > 0) return;
  getters.put();
  for (const place of places) place.put();
  syncBuiltinESMExports();
  for (const place of places) place.divide();
}

export function takeAwayFromClients(): void {
  if (--uses > 0) return;
  getters.takeAway();
  for (const place of places) place.takeAway();
  syncBuiltinESMExports();
  for (const place of places) place.settle();
}

/** True when a client has put fake timers in place: nothing on virtual time fires them. */
export function hasFakeTimers(): boolean {
  return timePlaces.some(
    (place) => typeof (place.ofClient as { clock?: unknown } | undefined)?.clock === 'object',
  );
}
