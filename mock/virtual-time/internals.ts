/**
 * All that virtual time reads of the insides of other projects, because they have no public way. Each is optional: where a version
 * keeps it elsewhere, what depends on it stays on real time or is not waited for. Tried with Node.js 20.20, 22, 24 and 26 (undici 6
 * to 8) and vitest 3.2 and 4.1.
 */
import { real } from './real.js';

/** True for the callback of the timer by which undici counts the time-outs of all requests of a process. */
export function isTimerOfUndici(callback: { name: string }): boolean {
  return callback.name === 'onTick' && /\bundici\b/.test(new Error().stack ?? '');
}

/** True for a timer of the platform's own that has fired or was cleared; `hasRef()` still holds for it. */
export function isTimerOver(timer: NodeJS.Timeout): boolean {
  return (timer as { _destroyed?: boolean })._destroyed === true;
}

/**
 * Calls `onMade` for every timer of the platform's own that is made, also by functions that were kept from before there were patches;
 * returns a function that stops it. Node.js sets `_destroyed` when it makes one. A hook of `async_hooks` would do the same, and slow down
 * every promise of the process.
 */
export function watchTimers(onMade: (timer: NodeJS.Timeout) => void): () => void {
  const probe = real.setTimeout(() => {}, 1);
  real.clearTimeout(probe);
  const prototype = Object.getPrototypeOf(probe) as { _destroyed?: boolean };
  Object.defineProperty(prototype, '_destroyed', {
    configurable: true,
    get: () => false,
    set(this: NodeJS.Timeout, value: boolean) {
      const property = { value, writable: true, enumerable: true, configurable: true };
      Object.defineProperty(this, '_destroyed', property);
      onMade(this);
    },
  });
  return () => {
    delete prototype._destroyed;
  };
}

/** What vitest keeps of the modules of a worker: `resolvingModules` from version 4 on, `moduleCache` in version 3. */
interface VitestWorker {
  resolvingModules?: { size?: unknown };
  moduleCache?: ReadonlyMap<string, CachedModule>;
}

interface CachedModule {
  resolving?: boolean;
  promise?: unknown;
  evaluated?: boolean;
  /** Set as soon as it has been fetched. */
  code?: string;
  exports?: unknown;
}

/**
 * True while vitest fetches a module from its main process, which leaves no trace in Node.js. Modules under evaluation do not
 * count: they may wait for virtual time (`vi.dynamicImportSettled` would wait for them, too).
 */
export function isFetchingModules(): boolean {
  const worker = (globalThis as { __vitest_worker__?: VitestWorker }).__vitest_worker__;
  if (worker?.resolvingModules) return Number(worker.resolvingModules.size) > 0;
  if (worker?.moduleCache instanceof Map)
    for (const cached of worker.moduleCache.values()) if (isBeingFetched(cached)) return true;
  return false;
}

function isBeingFetched({ resolving, promise, evaluated, code, exports }: CachedModule): boolean {
  if (resolving) return true;
  return promise !== undefined && !evaluated && code === undefined && exports === undefined;
}
