import perfHooks from 'node:perf_hooks';
import { hrtime } from 'node:process';
import * as timers from 'node:timers';
import * as timersPromises from 'node:timers/promises';

/** The class that the platform makes dates of, also while `globalThis.Date` is a fake one. */
const RealDate = structuredClone(new Date(0)).constructor as DateConstructor;
const performancePrototype = Object.getPrototypeOf(perfHooks.performance) as Performance;

/** The platform's own functions, read from where fake timers that are in place when this is loaded do not reach. */
export const real = {
  setTimeout: timers.setTimeout,
  clearTimeout: timers.clearTimeout,
  setInterval: timers.setInterval,
  clearInterval: timers.clearInterval,
  setImmediate: timers.setImmediate,
  clearImmediate: timers.clearImmediate,
  sleep: timersPromises.setTimeout,
  ticks: timersPromises.setInterval,
  immediate: timersPromises.setImmediate,
  queueMicrotask: (callback: () => void) => void Promise.resolve().then(callback),
  Date: RealDate,
  now: RealDate.now,
  performance: perfHooks.performance as object,
  performancePrototype,
  performanceNow: performancePrototype.now.bind(perfHooks.performance),
  hrtime,
};

/** One turn of the event loop: promises, streams and bodies of responses go on. */
export function awaitTurn(): Promise<void> {
  return new Promise((resolve) => {
    real.setImmediate(resolve);
  });
}

/** Waits a millisecond of real time; returns how long it took, ms. */
export async function awaitMillisecond(): Promise<number> {
  const began = real.performanceNow();
  await new Promise((resolve) => real.setTimeout(resolve, 1));
  return real.performanceNow() - began;
}
