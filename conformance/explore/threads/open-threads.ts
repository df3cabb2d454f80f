import { join } from 'node:path';
import { Tinypool } from 'tinypool';
import { findPackageRoot } from '../../../scenarios/format/library/package-root.js';
import { judgeRun } from '../../client/judge/verdict.js';
import type { ClientRun } from '../../client/types.js';
import type { ScheduleResult, SearchTools } from '../search-tools.js';
import type { ThreadTask } from './thread.js';

/**
 * Tools that play schedules in worker threads, each with its own client. The number of threads does not change results, as long as the
 * client keeps no state between runs.
 */
export function openThreads(module: string, seed: number, threads: number): SearchTools {
  const pool = new Tinypool({
    // Node.js does not load TypeScript: sources use the file in dist.
    filename: join(findPackageRoot(), 'dist/conformance/explore/threads/thread.js'),
    minThreads: threads,
    maxThreads: threads,
    idleTimeout: Number.POSITIVE_INFINITY,
  });
  const run = async <R>(task: Omit<ThreadTask, 'module' | 'seed'>): Promise<R> =>
    (await pool.run({ module, seed, ...task } satisfies ThreadTask)) as R;
  return {
    play: (scenario) => run<ClientRun>({ scenario }),
    judge: judgeRun,
    runSchedule: async (schedule, isJudged, signal) =>
      signal?.aborted ? undefined : run<ScheduleResult | undefined>({ schedule, isJudged }),
    close: () => pool.destroy(),
  };
}
