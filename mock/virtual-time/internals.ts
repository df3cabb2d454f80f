/**
 * All uses of internals of other projects, for which there is no public API. Each use is optional: if a version differs, the dependent
 * feature stays on real time or is not awaited. Tested with Node.js 20.20, 22, 24 and 26 (undici 6 to 8) and vitest 4.1.
 */

/** True for the timer callback with which undici implements the time-outs of all requests of a process. */
export function isUndiciTimer(callback: { name: string }): boolean {
  return callback.name === 'onTick' && /\bundici\b/.test(new Error().stack ?? '');
}

interface VitestWorker {
  resolvingModules?: { size?: unknown };
}

/**
 * True while vitest fetches a module from its main process, which Node.js does not show. Modules under evaluation do not count: they may
 * wait for virtual time (`vi.dynamicImportSettled` would wait for them, too).
 */
export function isFetchingModules(): boolean {
  const worker = (globalThis as { __vitest_worker__?: VitestWorker }).__vitest_worker__;
  return Number(worker?.resolvingModules?.size ?? 0) > 0;
}
