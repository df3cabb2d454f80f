import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers';
import timersPromises from 'node:timers/promises';
import { workStandIns } from '../background-work.js';
import { real, timeStandIns } from '../platform.js';
import { StandIns, seenByFakeTimers } from '../stand-in.js';
import { clientNow } from './context.js';
import { isFake } from './fakes.js';
import { fetchInRun } from './fetch-in-run.js';
import type { Owner } from './place-state.js';
import { PlatformPlace } from './platform-place.js';

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

/** The platform's own under a name of its own: fake timers that are in place outside would else delete it. */
function ownInRun<F extends (...args: never[]) => unknown>(own: F): F {
  const inRun = (...args: Parameters<F>) => own(...args);
  return seenByFakeTimers(
    Object.defineProperties(inRun, Object.getOwnPropertyDescriptors(own)) as unknown as F,
  );
}
const setImmediateInRun = ownInRun(real.setImmediate);
const clearImmediateInRun = ownInRun(real.clearImmediate);
seenByFakeTimers(queueMicrotaskInRun);

/** Those that read no time: a client must not get the fake ones that a test around it goes by. */
const NOT_FAKE: [owner: object, name: string, inRun: unknown, own: unknown][] = [
  [globalThis, 'setImmediate', setImmediateInRun, real.setImmediate],
  [globalThis, 'clearImmediate', clearImmediateInRun, real.clearImmediate],
  [timers, 'setImmediate', setImmediateInRun, real.setImmediate],
  [timers, 'clearImmediate', clearImmediateInRun, real.clearImmediate],
  [timersPromises, 'setImmediate', real.immediate, real.immediate],
  [globalThis, 'performance', real.performance, real.performance],
  [globalThis, 'queueMicrotask', queueMicrotaskInRun, real.queueMicrotask],
];

/** What the stand-ins for timers and clocks stand in for. */
const OWN = new Map<object, Record<string, unknown>>([
  [globalThis, real],
  [timers, real],
  [timersPromises, { setTimeout: real.sleep, setInterval: real.ticks }],
  [real.Date.prototype, { constructor: real.Date }],
  [real.Date, real],
  [process, { hrtime: real.hrtime, uptime: real.uptime }],
]);

const timePlaces = timeStandIns.list().flatMap(({ owner, name, change }) => {
  if (!('value' in change)) return [];
  const own = OWN.get(owner)?.[name as string];
  return [
    new PlatformPlace(
      owner as Owner,
      name as string,
      () => change.value,
      own,
      () => timeStandIns.arePut,
    ),
  ];
});
/** They ask themselves, each time that they are read, whose they are. */
const getters = new StandIns(false);
for (const { owner, name, change } of timeStandIns.list())
  if (change.get) getters.replaceGetter(owner, name, change.get);
const notFakePlaces = NOT_FAKE.map(
  ([owner, name, inRun, own]) => new PlatformPlace(owner as Owner, name, () => inRun, own),
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
  // Before this, modules could import by its name what others have put in place for all but those.
  workStandIns.put();
  syncBuiltinESMExports();
  for (const place of places) place.divide();
}

export function takeAwayFromClients(): void {
  if (--uses > 0) return;
  getters.takeAway();
  for (const place of places) place.takeAway();
  workStandIns.takeAway();
  syncBuiltinESMExports();
  for (const place of places) place.settle();
}

/** Puts right what others have defined anew meanwhile, as the fake timers of node:test do. */
export function keepDivided(): void {
  for (const place of places) place.keepDivided();
}

/** True when a client has put fake timers in place: nothing on virtual time fires them. */
export function hasFakeTimers(): boolean {
  return timePlaces.some(({ ofClient }) => isFake(ofClient));
}
