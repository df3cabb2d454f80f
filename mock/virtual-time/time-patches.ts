import { hrtime as realHrtime } from 'node:process';
import timers from 'node:timers';
import timersPromises from 'node:timers/promises';
import { promisify } from 'node:util';
import { currentClock, currentRun, isWholeProcess } from './current-run.js';
import { isTimerOfUndici } from './internals.js';
import { Patches } from './patches.js';
import { real } from './real.js';
import { FIRST_ID, VirtualTimeout } from './virtual-clock.js';
import { type SleepOptions, sleep, ticks, timeoutSignal } from './virtual-promises.js';

type Callback = (...args: unknown[]) => void;
type SetTimer = (callback: Callback, delay?: number, ...args: unknown[]) => unknown;
type Sleep = (delay?: number, value?: unknown, options?: SleepOptions) => Promise<unknown>;

/**
 * Everything by which a program reads or waits for time. Within a run it goes by the run's clock, everywhere else it is what it
 * was. `setImmediate`, `queueMicrotask` and `nextTick` are the platform's own in a run: they let everything else go on.
 */
export const timePatches = new Patches();

/** What must be a function is refused in the platform's own words. */
function wrapSetTimer(repeats: boolean, own: SetTimer) {
  return (before: SetTimer): SetTimer =>
    (callback, delay, ...args) => {
      const clock = currentClock();
      if (!clock) return before(callback, delay, ...args);
      const isRefused = typeof callback !== 'function';
      // Where there are other times besides that of the run, this one belongs to none.
      if (isRefused || (!isWholeProcess() && isTimerOfUndici(callback))) return own(callback, delay, ...args);
      return clock.set(callback, delay, args, repeats);
    };
}

function wrapSetTimeout(before: SetTimer): SetTimer {
  const wrapper = wrapSetTimer(false, real.setTimeout as SetTimer)(before);
  const sleeps = wrapSleep((before as unknown as Record<symbol, Sleep>)[promisify.custom] ?? real.sleep);
  return Object.defineProperty(wrapper, promisify.custom, { value: sleeps, enumerable: true });
}

/** For time-outs and intervals alike, as Node's own. */
function wrapClear(before: (timer: unknown) => void) {
  return (timer: unknown): void => {
    if (timer instanceof VirtualTimeout) timer.close();
    else if (Number(timer) > FIRST_ID) currentClock()?.clear(Number(timer));
    else if (currentRun()) real.clearTimeout(timer as NodeJS.Timeout);
    else before(timer);
  };
}

function wrapSleep(before: Sleep): Sleep {
  return (delay, value, options) => {
    const clock = currentClock();
    return clock ? sleep(clock, delay, value, options) : before(delay, value, options);
  };
}

function wrapTicks(before: typeof real.ticks) {
  return (delay?: number, value?: unknown, options?: SleepOptions) => {
    const clock = currentClock();
    return clock ? ticks(clock, delay, value, options) : before(delay, value, options);
  };
}

/** Dates are of the platform's own class either way, so that `instanceof` holds. */
function wrapDate(before: DateConstructor): unknown {
  function VirtualDate(...args: unknown[]): unknown {
    const clock = currentClock();
    const Base = clock ? real.Date : before;
    if (!new.target) return clock ? new Base(clock.now).toString() : before();
    const target = new.target === (VirtualDate as unknown) ? Base : new.target;
    return Reflect.construct(Base, clock && args.length === 0 ? [clock.now] : args, target);
  }
  Object.defineProperty(VirtualDate, 'prototype', { value: real.Date.prototype, writable: false });
  const now = () => currentClock()?.now ?? before.now();
  Object.defineProperty(VirtualDate, 'now', { value: now, writable: true, configurable: true });
  return VirtualDate;
}

/** Whoever kept the platform's `Date` calls this. */
const wrapNow = (before: () => number) => () => currentClock()?.now ?? before();

/** ms since the run began. */
function passed(): number | undefined {
  const clock = currentClock();
  return clock && clock.now - clock.start;
}

function wrapHrtime(before: typeof realHrtime) {
  const bigint = () => {
    const ms = passed();
    return ms === undefined ? before.bigint() : BigInt(Math.round(ms * 1e6));
  };
  const hrtime = (since?: [number, number]): [number, number] => {
    if (passed() === undefined) return before(since);
    const ns = bigint() - (since ? BigInt(since[0]) * 1_000_000_000n + BigInt(since[1]) : 0n);
    return [Number(ns / 1_000_000_000n), Number(ns % 1_000_000_000n)];
  };
  return Object.assign(hrtime, { bigint });
}

/** `own` in a run, where fake timers are in place outside of it. */
const wrapUntimed =
  (own: (...args: never[]) => unknown) =>
  (before: typeof own): typeof own =>
  (...args) =>
    (currentRun() ? own : before)(...args);

/** Older versions of Node.js do not know in which context a microtask throws. */
function wrapQueueMicrotask(before: typeof queueMicrotask): typeof queueMicrotask {
  return (callback) => {
    const run = currentRun();
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

function wrapPerformanceNow(before: (this: unknown) => number) {
  return function (this: unknown): number {
    return passed() ?? before.call(this);
  };
}

for (const owner of [globalThis, timers]) {
  timePatches.replace(owner, 'setTimeout', wrapSetTimeout, real.setTimeout);
  timePatches.replace(
    owner,
    'setInterval',
    wrapSetTimer(true, real.setInterval as SetTimer),
    real.setInterval,
  );
  timePatches.replace(owner, 'clearTimeout', wrapClear, real.clearTimeout);
  timePatches.replace(owner, 'clearInterval', wrapClear, real.clearInterval);
  timePatches.replace(owner, 'setImmediate', wrapUntimed(real.setImmediate), real.setImmediate);
  timePatches.replace(owner, 'clearImmediate', wrapUntimed(real.clearImmediate), real.clearImmediate);
}
timePatches.replace(globalThis, 'queueMicrotask', wrapQueueMicrotask);
timePatches.replace(timersPromises, 'setTimeout', wrapSleep, real.sleep);
timePatches.replace(timersPromises, 'setInterval', wrapTicks, real.ticks);
timePatches.replace(timersPromises, 'setImmediate', wrapUntimed(real.immediate), real.immediate);
timePatches.replace(timersPromises.scheduler, 'wait', (before: Sleep) => {
  const wait = wrapSleep((delay, _, options) => before.call(timersPromises.scheduler, delay, options));
  return (delay?: number, options?: SleepOptions) => wait(delay, undefined, options);
});
timePatches.replace(globalThis, 'Date', wrapDate, real.Date);
timePatches.replace(real.Date.prototype, 'constructor', () => globalThis.Date, real.Date);
timePatches.replace(real.Date, 'now', wrapNow, real.now);
timePatches.replace(AbortSignal, 'timeout', (before: typeof AbortSignal.timeout) => (delay: number) => {
  const clock = currentClock();
  return clock ? timeoutSignal(clock, delay) : before.call(AbortSignal, delay);
});
timePatches.replace(process, 'hrtime', wrapHrtime, realHrtime);
timePatches.replace(process, 'uptime', (before: () => number) => () => {
  const ms = passed();
  return ms === undefined ? before() : ms / 1000;
});
timePatches.replace(real.performancePrototype, 'now', wrapPerformanceNow);
timePatches.replaceOf(
  () => (globalThis.performance === real.performance ? undefined : globalThis.performance),
  'now',
  wrapPerformanceNow,
);
timePatches.replaceGetter(
  real.performancePrototype,
  'timeOrigin',
  (before: (this: unknown) => number) =>
    function (this: unknown) {
      return currentClock()?.start ?? before.call(this);
    },
);
