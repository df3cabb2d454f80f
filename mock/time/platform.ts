import perfHooks from 'node:perf_hooks';
import timers from 'node:timers';
import timersPromises from 'node:timers/promises';
import { promisify } from 'node:util';
import { StandIns } from './stand-in.js';
import { FIRST_ID, type VirtualClock, VirtualTimeout } from './virtual-clock.js';
import { dateOf } from './virtual-date.js';
import { type SleepOptions, sleep, ticks, timeoutSignal } from './virtual-promises.js';

/** The platform's own functions, whatever stands in for them. */
export const real = {
  setTimeout: globalThis.setTimeout,
  setImmediate: globalThis.setImmediate,
  clearTimeout: globalThis.clearTimeout,
  setInterval: globalThis.setInterval,
  clearInterval: globalThis.clearInterval,
  now: Date.now,
  performanceNow: performance.now.bind(performance),
  hrtime: process.hrtime,
  uptime: process.uptime,
  sleep: timersPromises.setTimeout,
  ticks: timersPromises.setInterval,
  wait: timersPromises.scheduler.wait.bind(timersPromises.scheduler),
  timeoutSignal: AbortSignal.timeout.bind(AbortSignal),
};

/** The clock that all stand-ins go by; while there is none they do what they stand in for. */
let active: VirtualClock | undefined;

export function setActiveClock(clock: VirtualClock | undefined): void {
  active = clock;
}

export function activeClock(): VirtualClock | undefined {
  return active;
}

type Callback = (...args: unknown[]) => void;

function setTimeoutStandIn(callback: Callback, delay?: number, ...args: unknown[]): unknown {
  // What is no function is refused in the platform's own words.
  if (!active || typeof callback !== 'function') return real.setTimeout(callback, delay, ...args);
  return active.set(callback, delay, args);
}
Object.defineProperty(setTimeoutStandIn, promisify.custom, { value: sleepStandIn, enumerable: true });

function setIntervalStandIn(callback: Callback, delay?: number, ...args: unknown[]): unknown {
  if (!active || typeof callback !== 'function') return real.setInterval(callback, delay, ...args);
  return active.set(callback, delay, args, true);
}

/** For timeouts and intervals alike, as Node's own; those of a run that is over are gone already. */
function clearStandIn(timer: unknown): void {
  if (timer instanceof VirtualTimeout) timer.close();
  else if (Number(timer) > FIRST_ID) active?.clear(Number(timer));
  else real.clearTimeout(timer as NodeJS.Timeout);
}

function sleepStandIn<T>(delay?: number, value?: T, options?: SleepOptions): Promise<T> {
  return active ? sleep(active, delay, value, options) : real.sleep(delay, value, options);
}

function ticksStandIn<T>(delay?: number, value?: T, options?: SleepOptions) {
  return active ? ticks(active, delay, value, options) : real.ticks(delay, value, options);
}

function waitStandIn(delay?: number, options?: SleepOptions): Promise<void> {
  return active ? sleep(active, delay, undefined, options) : real.wait(delay!, options);
}

function timeoutSignalStandIn(delay: number): AbortSignal {
  return active ? timeoutSignal(active, delay) : real.timeoutSignal(delay);
}

function now(): number {
  return active ? active.now : real.now();
}

/** ms since the run began. */
function performanceNow(): number {
  return active ? active.now - active.start : real.performanceNow();
}

function hrtime(before?: [number, number]): [number, number] {
  if (!active) return real.hrtime(before);
  const ns = hrtimeBigint() - (before ? BigInt(before[0]) * 1_000_000_000n + BigInt(before[1]) : 0n);
  return [Number(ns / 1_000_000_000n), Number(ns % 1_000_000_000n)];
}

function hrtimeBigint(): bigint {
  return active ? BigInt(Math.round(performanceNow() * 1e6)) : real.hrtime.bigint();
}
hrtime.bigint = hrtimeBigint;

/**
 * Everything through which a program meets time, but for `setImmediate`, `nextTick` and `queueMicrotask`: without
 * those nothing could go on in between. While in place they go by the active clock.
 */
export const timeStandIns = new StandIns();

for (const owner of [globalThis, timers]) {
  timeStandIns.replace(owner, 'setTimeout', setTimeoutStandIn);
  timeStandIns.replace(owner, 'setInterval', setIntervalStandIn);
  timeStandIns.replace(owner, 'clearTimeout', clearStandIn);
  timeStandIns.replace(owner, 'clearInterval', clearStandIn);
}
timeStandIns.replace(timersPromises, 'setTimeout', sleepStandIn);
timeStandIns.replace(timersPromises, 'setInterval', ticksStandIn);
timeStandIns.replace(timersPromises.scheduler, 'wait', waitStandIn);
const VirtualDate = dateOf(now);
timeStandIns.replace(globalThis, 'Date', VirtualDate);
timeStandIns.replace(Date.prototype, 'constructor', VirtualDate);
// Whoever holds the platform's Date asks this one.
timeStandIns.replace(Date, 'now', now);
timeStandIns.replace(AbortSignal, 'timeout', timeoutSignalStandIn);
timeStandIns.replace(process, 'hrtime', hrtime);
timeStandIns.replace(process, 'uptime', () => (active ? performanceNow() / 1000 : real.uptime()));

const performancePrototype = Object.getPrototypeOf(perfHooks.performance) as object;
const timeOrigin = perfHooks.performance.timeOrigin;
timeStandIns.replace(performancePrototype, 'now', performanceNow);
timeStandIns.replaceGetter(performancePrototype, 'timeOrigin', () => active?.start ?? timeOrigin);

/** One turn of the loop: lets promises, streams and the bodies of answers go on. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    real.setImmediate(resolve);
  });
}
