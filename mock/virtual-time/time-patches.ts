import type { hrtime as realHrtime } from 'node:process';
import timers from 'node:timers';
import timersPromises from 'node:timers/promises';
import { promisify } from 'node:util';
import { real } from '../clock/real.js';
import { findCurrentClock, findCurrentRun, isWholeProcess } from './current-run.js';
import { isUndiciTimer } from './internals.js';
import { Patches } from './patches.js';
import { FIRST_ID, type VirtualClock, VirtualTimeout } from './virtual-clock.js';

type TimerCallback = (...args: unknown[]) => void;
type SetTimer = (callback: TimerCallback, delay?: number, ...args: unknown[]) => unknown;
// biome-ignore lint/suspicious/noExplicitAny: the arguments of the platform's functions
type TimerArgs = any[];
type TimerFunction = (this: unknown, ...args: TimerArgs) => unknown;

/**
 * All functions with which a program reads or waits for time. Within a run they use the run's clock, elsewhere they are unchanged. In a
 * run, `setImmediate`, `queueMicrotask` and `nextTick` are the platform's own: they do not block other work.
 */
export const timePatches = new Patches();

interface SleepOptions {
  signal?: AbortSignal;
  ref?: boolean;
}

/** The `setTimeout` of node:timers/promises on virtual time. */
function sleep<T>(
  clock: VirtualClock,
  delay?: unknown,
  value?: T,
  { signal, ref = true }: SleepOptions = {},
): Promise<T> {
  if (signal?.aborted) return Promise.reject(createAbortError(signal));
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      timer.close();
      reject(createAbortError(signal!));
    };
    const timer = clock.set(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve(value as T);
    }, delay);
    if (!ref) timer.unref();
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}

/** The `setInterval` of node:timers/promises. */
async function* generateTicks<T>(
  clock: VirtualClock,
  delay?: unknown,
  value?: T,
  options?: SleepOptions,
): AsyncGenerator<T, void, undefined> {
  for (;;) yield sleep(clock, delay, value as T, options);
}

function createTimeoutSignal(clock: VirtualClock, delay: number): AbortSignal {
  const controller = new AbortController();
  const abort = () =>
    controller.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'));
  clock.set(abort, delay).unref();
  return controller.signal;
}

/** Like Node's own: an AbortError with a code. */
function createAbortError(signal: AbortSignal): Error {
  const error = new Error('The operation was aborted', { cause: signal.reason });
  error.name = 'AbortError';
  return Object.assign(error, { code: 'ABORT_ERR' });
}

/** Calls `virtual` in a run, elsewhere the function before. */
function wrapInRun(virtual: (clock: VirtualClock, ...args: TimerArgs) => unknown) {
  return (before: TimerFunction): TimerFunction =>
    function (...args) {
      const clock = findCurrentClock();
      return clock ? virtual(clock, ...args) : before.apply(this, args);
    };
}

/** In a run calls the platform's own function, even if fake timers are installed outside of it. */
const wrapOwn = (own: (...args: TimerArgs) => unknown) => wrapInRun((_clock, ...args) => own(...args));

/** A callback that is not a function is refused with the platform's own error. */
function wrapSetTimer(repeats: boolean, own: SetTimer) {
  return wrapInRun((clock, callback, delay, ...args) => {
    const isRefused = typeof callback !== 'function';
    // If there are other times besides that of the run, this timer belongs to none.
    if (isRefused || (!isWholeProcess() && isUndiciTimer(callback))) return own(callback, delay, ...args);
    return clock.set(callback, delay, args, repeats);
  });
}

function wrapSetTimeout(before: TimerFunction & { [promisify.custom]?: TimerFunction }): TimerFunction {
  const wrapper = wrapSetTimer(false, real.setTimeout as SetTimer)(before);
  const value = wrapInRun(sleep)(before[promisify.custom] ?? (real.sleep as TimerFunction));
  return Object.defineProperty(wrapper, promisify.custom, { value, enumerable: true });
}

/** For time-outs and intervals alike, like Node's own. */
function wrapClear(before: (timer: unknown) => void) {
  return (timer: unknown): void => {
    if (timer instanceof VirtualTimeout) timer.close();
    else if (Number(timer) > FIRST_ID) findCurrentClock()?.clear(Number(timer));
    else if (findCurrentRun()) real.clearTimeout(timer as NodeJS.Timeout);
    else before(timer);
  };
}

/** Dates are always of the platform's own class, so that `instanceof` holds. */
function wrapDate(before: DateConstructor): unknown {
  function VirtualDate(...args: unknown[]): unknown {
    const clock = findCurrentClock();
    const Base = clock ? real.Date : before;
    if (!new.target) return clock ? new Base(clock.now).toString() : before();
    const target = new.target === (VirtualDate as unknown) ? Base : new.target;
    return Reflect.construct(Base, clock && args.length === 0 ? [clock.now] : args, target);
  }
  Object.defineProperty(VirtualDate, 'prototype', { value: real.Date.prototype, writable: false });
  const now = () => findCurrentClock()?.now ?? before.now();
  Object.defineProperty(VirtualDate, 'now', { value: now, writable: true, configurable: true });
  return VirtualDate;
}

/** ms since the run began. */
const countElapsedMs = ({ now, start }: VirtualClock) => now - start;

function wrapHrtime(before: typeof realHrtime) {
  const bigint = wrapInRun((clock) => BigInt(Math.round(countElapsedMs(clock) * 1e6)))(before.bigint);
  const hrtime = wrapInRun((_clock, since?: [number, number]) => {
    const ns = (bigint() as bigint) - (since ? BigInt(since[0]) * 1_000_000_000n + BigInt(since[1]) : 0n);
    return [Number(ns / 1_000_000_000n), Number(ns % 1_000_000_000n)];
  })(before as TimerFunction);
  return Object.assign(hrtime, { bigint });
}

/** Older versions of Node.js lose the context in which a microtask throws. */
function wrapQueueMicrotask(before: typeof queueMicrotask): typeof queueMicrotask {
  return (callback) => {
    const run = findCurrentRun();
    if (!run || typeof callback !== 'function') {
      before(callback);
      return;
    }
    real.queueMicrotask(() => {
      try {
        callback();
      } catch (error) {
        run.crash(error);
      }
    });
  };
}

for (const owner of [globalThis, timers]) {
  const wrapSetInterval = wrapSetTimer(true, real.setInterval as SetTimer);
  timePatches.replace(owner, 'setTimeout', wrapSetTimeout);
  timePatches.replace(owner, 'setInterval', wrapSetInterval);
  timePatches.replace(owner, 'clearTimeout', wrapClear);
  timePatches.replace(owner, 'clearInterval', wrapClear);
  timePatches.replace(owner, 'setImmediate', wrapOwn(real.setImmediate));
  timePatches.replace(owner, 'clearImmediate', wrapOwn(real.clearImmediate));
}
const wait = (clock: VirtualClock, delay?: unknown, options?: object) =>
  sleep(clock, delay, undefined, options);
timePatches.replace(globalThis, 'queueMicrotask', wrapQueueMicrotask);
timePatches.replace(timersPromises, 'setTimeout', wrapInRun(sleep));
timePatches.replace(timersPromises, 'setInterval', wrapInRun(generateTicks));
timePatches.replace(timersPromises, 'setImmediate', wrapOwn(real.immediate));
timePatches.replace(timersPromises.scheduler, 'wait', wrapInRun(wait));
timePatches.replace(globalThis, 'Date', wrapDate);
timePatches.replace(real.Date.prototype, 'constructor', () => globalThis.Date);
// Code that stored the platform's `Date` calls this.
timePatches.replace(
  real.Date,
  'now',
  wrapInRun(({ now }) => now),
);
timePatches.replace(AbortSignal, 'timeout', wrapInRun(createTimeoutSignal));
timePatches.replace(process, 'hrtime', wrapHrtime);
timePatches.replace(
  process,
  'uptime',
  wrapInRun((clock) => countElapsedMs(clock) / 1000),
);
timePatches.replace(real.performancePrototype, 'now', wrapInRun(countElapsedMs));
timePatches.add({
  owner: () => (globalThis.performance === real.performance ? undefined : globalThis.performance),
  name: 'now',
  slot: 'value',
  wrap: wrapInRun(countElapsedMs),
});
timePatches.add({
  owner: () => real.performancePrototype,
  name: 'timeOrigin',
  slot: 'get',
  wrap: wrapInRun(({ start }) => start),
});
