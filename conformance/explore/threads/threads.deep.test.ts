import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findPackageRoot } from '../../../scenarios/format/library/package-root.js';
import { loadFunction } from '../../client/run/function-module.js';
import { explore } from '../search/explore.js';
import type { ExploreReport } from '../types.js';

const SCHEDULES = 1000;

/** What does not depend on how long anything took. */
function lasting(report: ExploreReport): unknown {
  const { progress, durationMs: _, failures, advice, ...rest } = report;
  const { schedules, distinct, notTriggered, failing } = progress;
  const untimed = <T extends { foundAtMs: number }>({ foundAtMs: __, ...each }: T) => each;
  return {
    ...rest,
    progress: { schedules, distinct, notTriggered, failing },
    failures: failures.map(untimed),
    advice: advice.map(untimed),
  };
}

describe('a search in threads', () => {
  // With two deviations all schedules are systematic, with one most are random walks.
  it.each([
    ['reference', 2],
    ['buggy/poller-dies', 1],
  ])('%s: has the same results as in this process, for any number of threads', async (name, deviations) => {
    const module = join(findPackageRoot(), `fixtures/clients/${name}.mjs`);
    const { run } = await loadFunction(module);
    const client = { kind: 'function' as const, run: run!, module };
    const search = (jobs: number) =>
      explore({ client, jobs, deviations, schedules: SCHEDULES, timeLimitMs: 600_000 });
    const one = await search(1);
    expect(one.progress.schedules).toBe(SCHEDULES);
    expect(one.failures.length > 0).toBe(name !== 'reference');
    expect(lasting(await search(3))).toEqual(lasting(one));
  });
});
