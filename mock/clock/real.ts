import perfHooks from 'node:perf_hooks';
import { hrtime } from 'node:process';
import * as timers from 'node:timers';
import * as timersPromises from 'node:timers/promises';

/** The platform's Date class, even if `globalThis.Date` is replaced by a fake. */
const RealDate = structuredClone(new Date(0)).constructor as DateConstructor;
const performancePrototype = Object.getPrototypeOf(perfHooks.performance) as Performance;

/** The platform's own functions, obtained so that fake timers already installed do not affect them. */
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

/** Waits one turn of the event loop, in which promises, streams and response bodies progress. */
export function awaitTurn(): Promise<void> {
  return new Promise((resolve) => {
    real.setImmediate(resolve);
  });
}

/** Waits a millisecond of real time; returns the actual duration, ms. */
export async function awaitMillisecond(): Promise<number> {
  const began = real.performanceNow();
  await new Promise((resolve) => real.setTimeout(resolve, 1));
  return real.performanceNow() - began;
}
