/** What vitest keeps of the modules of a worker: versions from 4 on, and version 3. */
interface VitestWorker {
  resolvingModules?: { size?: unknown };
  moduleCache?: ReadonlyMap<string, CachedModule>;
}

interface CachedModule {
  resolving?: boolean;
  promise?: unknown;
  evaluated?: boolean;
  /** There as soon as it has been fetched. */
  code?: string;
  exports?: unknown;
}

/**
 * True while vitest fetches a module for this process: what it asks of its main process leaves no trace that Node.js
 * lists. A module that is being evaluated may itself wait for time, and is not meant. Not part of vitest's interface: where
 * it is not there, imports are not waited for.
 */
export function isFetchingModules(): boolean {
  const worker = (globalThis as { __vitest_worker__?: VitestWorker }).__vitest_worker__;
  if (!worker) return false;
  if (worker.resolvingModules) return Number(worker.resolvingModules.size) > 0;
  if (worker.moduleCache instanceof Map)
    for (const cached of worker.moduleCache.values()) if (isBeingFetched(cached)) return true;
  return false;
}

function isBeingFetched({ resolving, promise, evaluated, code, exports }: CachedModule): boolean {
  if (resolving) return true;
  return promise !== undefined && !evaluated && code === undefined && exports === undefined;
}
