import perfHooks from 'node:perf_hooks';
import { hrtime as realHrtime } from 'node:process';
import timers, * as realTimers from 'node:timers';
import timersPromises, * as realPromises from 'node:timers/promises';
import { promisify } from 'node:util';
import { StandIns, seenByFakeTimers } from './stand-in.js';
import { FIRST_ID, type VirtualClock, VirtualTimeout } from './virtual-clock.js';
import { dateOf } from './virtual-date.js';
import { type SleepOptions, sleep, ticks, timeoutSignal } from './virtual-promises.js';

/** An object of the class that the platform itself makes dates of, whatever `Date` is at the moment. */
const RealDate = structuredClone(new Date(0)).constructor as DateConstructor;
const performancePrototype = Object.getPrototypeOf(perfHooks.performance) as Performance;

/**
 * The platform's own functions, whatever stands in for them: taken from where a test runner's fake timers, which may be in
 * place when this is loaded, leave them alone.
 */
export const real = {
  setTimeout: realTimers.setTimeout,
  setImmediate: realTimers.setImmediate,
  clearTimeout: realTimers.clearTimeout,
  clearImmediate: realTimers.clearImmediate,
  setInterval: realTimers.setInterval,
  clearInterval: realTimers.clearInterval,
  // No module exports it; a fake one is known by its clock.
  queueMicrotask:
    'clock' in globalThis.queueMicrotask
      ? (callback: () => void) => void Promise.resolve().then(callback)
      : globalThis.queueMicrotask,
  Date: RealDate,
  now: RealDate.now,
  performance: perfHooks.performance,
  performanceNow: performancePrototype.now.bind(perfHooks.performance),
  hrtime: realHrtime,
  uptime: process.uptime,
  sleep: realPromises.setTimeout,
  immediate: realPromises.setImmediate,
  ticks: realPromises.setInterval,
  wait: timersPromises.scheduler.wait.bind(timersPromises.scheduler),
  timeoutSignal: AbortSignal.timeout.bind(AbortSignal),
};

/** The clock that all stand-ins go by; while there is none they do what they stand in for. */
let active: VirtualClock | undefined;
/** Where each asynchronous context has a clock of its own: asked first. To ask costs time, so it is there only while needed. */
let ofContext: (() => VirtualClock | undefined) | undefined;

export function setActiveClock(clock: VirtualClock | undefined): void {
  active = clock;
}

export function setClockOfContext(clockOf: typeof ofContext): void {
  ofContext = clockOf;
}

export function activeClock(): VirtualClock | undefined {
  return ofContext?.() ?? active;
}

type Callback = (...args: unknown[]) => void;

/**
 * True for the one timer by which all requests of undici have their time-outs: where each context has a time of its own,
 * it belongs to no one of them.
 */
function isOfPlatform(callback: Callback): boolean {
  return ofContext !== undefined && callback.name === 'onTick' && /\bundici\b/.test(new Error().stack ?? '');
}

function setTimeoutStandIn(callback: Callback, delay?: number, ...args: unknown[]): unknown {
  // What is no function is refused in the platform's own words.
  const clock = activeClock();
  if (!clock || typeof callback !== 'function' || isOfPlatform(callback))
    return real.setTimeout(callback, delay, ...args);
  return clock.set(callback, delay, args);
}
Object.defineProperty(setTimeoutStandIn, promisify.custom, { value: sleepStandIn, enumerable: true });

function setIntervalStandIn(callback: Callback, delay?: number, ...args: unknown[]): unknown {
  const clock = activeClock();
  if (!clock || typeof callback !== 'function') return real.setInterval(callback, delay, ...args);
  return clock.set(callback, delay, args, true);
}

/** For timeouts and intervals alike, as Node's own; those of a run that is over are gone already. */
function clearStandIn(timer: unknown): void {
  if (timer instanceof VirtualTimeout) timer.close();
  else if (Number(timer) > FIRST_ID) activeClock()?.clear(Number(timer));
  else real.clearTimeout(timer as NodeJS.Timeout);
}

function sleepStandIn<T>(delay?: number, value?: T, options?: SleepOptions): Promise<T> {
  const clock = activeClock();
  return clock ? sleep(clock, delay, value, options) : real.sleep(delay, value, options);
}

function ticksStandIn<T>(delay?: number, value?: T, options?: SleepOptions) {
  const clock = activeClock();
  return clock ? ticks(clock, delay, value, options) : real.ticks(delay, value, options);
}

function waitStandIn(delay?: number, options?: SleepOptions): Promise<void> {
  const clock = activeClock();
  return clock ? sleep(clock, delay, undefined, options) : real.wait(delay!, options);
}

function timeoutSignalStandIn(delay: number): AbortSignal {
  const clock = activeClock();
  return clock ? timeoutSignal(clock, delay) : real.timeoutSignal(delay);
}

function now(): number {
  return activeClock()?.now ?? real.now();
}

/** ms since the run began. */
function performanceNow(): number {
  const clock = activeClock();
  return clock ? clock.now - clock.start : real.performanceNow();
}

function hrtime(before?: [number, number]): [number, number] {
  if (!activeClock()) return real.hrtime(before);
  const ns = hrtimeBigint() - (before ? BigInt(before[0]) * 1_000_000_000n + BigInt(before[1]) : 0n);
  return [Number(ns / 1_000_000_000n), Number(ns % 1_000_000_000n)];
}

function hrtimeBigint(): bigint {
  return activeClock() ? BigInt(Math.round(performanceNow() * 1e6)) : real.hrtime.bigint();
}
hrtime.bigint = hrtimeBigint;

/**
 * Everything through which a program meets time, but for `setImmediate`, `nextTick` and `queueMicrotask`: without
 * those nothing could go on in between. While in place they go by the active clock.
 */
export const timeStandIns = new StandIns();
for (const standIn of [setTimeoutStandIn, setIntervalStandIn, clearStandIn]) seenByFakeTimers(standIn);

for (const owner of [globalThis, timers]) {
  timeStandIns.replace(owner, 'setTimeout', setTimeoutStandIn);
  timeStandIns.replace(owner, 'setInterval', setIntervalStandIn);
  timeStandIns.replace(owner, 'clearTimeout', clearStandIn);
  timeStandIns.replace(owner, 'clearInterval', clearStandIn);
}
timeStandIns.replace(timersPromises, 'setTimeout', sleepStandIn);
timeStandIns.replace(timersPromises, 'setInterval', ticksStandIn);
timeStandIns.replace(timersPromises.scheduler, 'wait', waitStandIn);
const VirtualDate = seenByFakeTimers(dateOf(now, RealDate));
timeStandIns.replace(globalThis, 'Date', VirtualDate);
timeStandIns.replace(RealDate.prototype, 'constructor', VirtualDate);
// Whoever holds the platform's Date asks this one.
timeStandIns.replace(RealDate, 'now', now);
timeStandIns.replace(AbortSignal, 'timeout', timeoutSignalStandIn);
timeStandIns.replace(process, 'hrtime', hrtime);
timeStandIns.replace(process, 'uptime', () => (activeClock() ? performanceNow() / 1000 : real.uptime()));

const timeOrigin = perfHooks.performance.timeOrigin;
timeStandIns.replace(performancePrototype, 'now', performanceNow);
timeStandIns.replaceGetter(performancePrototype, 'timeOrigin', () => activeClock()?.start ?? timeOrigin);

/** One turn of the loop: lets promises, streams and the bodies of answers go on. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    real.setImmediate(resolve);
  });
}
