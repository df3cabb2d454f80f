/**
 * All that virtual time reads of the insides of other projects, because they have no public way. Each is optional: where a version
 * keeps it elsewhere, what depends on it stays on real time or is not waited for. Tried with Node.js 20.20, 22, 24 and 26 (undici 6
 * to 8) and vitest 4.1.
 */

/** True for the callback of the timer by which undici counts the time-outs of all requests of a process. */
export function isUndiciTimer(callback: { name: string }): boolean {
  return callback.name === 'onTick' && /\bundici\b/.test(new Error().stack ?? '');
}

interface VitestWorker {
  resolvingModules?: { size?: unknown };
}

/**
 * True while vitest fetches a module from its main process, which leaves no trace in Node.js. Modules under evaluation do not
 * count: they may wait for virtual time (`vi.dynamicImportSettled` would wait for them, too).
 */
export function isFetchingModules(): boolean {
  const worker = (globalThis as { __vitest_worker__?: VitestWorker }).__vitest_worker__;
  return Number(worker?.resolvingModules?.size ?? 0) > 0;
}
