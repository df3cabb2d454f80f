import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findPackageRoot } from '../../../scenarios/format/library/package-root.js';
import { loadFunction } from '../../client/run/function-module.js';
import type { Shard } from '../../common/shard.js';
import { explore } from '../../explore/search/explore.js';
import type { ExploreReport, Failure } from '../../explore/types.js';
import type { ConformReport } from '../../service/runner/result.js';
import { formatJsonReport } from '../formats/json.js';
import { createSearchReport } from '../search-report.js';
import { ReportView } from '../view.js';
import { mergeReports } from './merge-reports.js';

const OF = 3;
/** More than the systematic part of each search in this test. */
const PLENTY = 500;

async function searchOf(name: string, deviations: number, scenarios: string[]) {
  const module = join(findPackageRoot(), `fixtures/clients/${name}.mjs`);
  const { run } = await loadFunction(module);
  const search = (schedules: number, shard?: Shard) =>
    explore({
      ...{ client: run!, scenarios, deviations, schedules, timeLimitMs: 600_000 },
      ...(shard && { shard }),
    });
  // Without random walks, which differ between shards.
  return async (shard?: Shard): Promise<ExploreReport> => {
    const { coverage } = await search(PLENTY, shard);
    return search(
      coverage.reduce((sum, each) => sum + each.run, 0),
      shard,
    );
  };
}

function reportOf(explored: ExploreReport): ConformReport {
  const file = ({ name }: Failure) => `${name}.yaml`;
  const context = { client: 'a client', started: new Date(0), again: file, file, all: true };
  return JSON.parse(
    formatJsonReport(new ReportView(createSearchReport(explored, context), { all: true })),
  ) as ConformReport;
}

/**
 * Findings and progress of a search. Which of two failures of one cause counts a schedule, and is numbered first, depends on
 * the earlier schedules of a shard.
 */
function findingsOf({ summary, checks, causes, advice, failures, searched }: ConformReport): unknown {
  const { statement, schedules, not_triggered, nondeterministic } = searched!;
  const sorted = (texts: string[]) => texts.toSorted();
  return {
    ...{ summary, statement, schedules, not_triggered, nondeterministic },
    causes: sorted(causes.map(({ id, title, explains }) => `${id}: ${title} ${explains}`)),
    checks: sorted(
      checks.map(({ id, outcome, title }) => `${id.replace(/ \(\d+\)$/, '')} ${outcome} ${title}`),
    ),
    advice: sorted(advice!.map(({ id }) => id)),
    failures: sorted(failures!.map(({ cause, rule, deviations }) => [cause, rule, ...deviations].join('; '))),
    seen: failures!.reduce((sum, { seen }) => sum + seen, 0),
  };
}

describe('reports of all shards merged', () => {
  it.each([
    ['reference', 2, ['polling/one-shot']],
    ['buggy/trusts-event-t', 1, ['tool-calls/two-calls', 'sessions/ended-by-the-service']],
    ['buggy/poller-dies', 1, ['tool-calls/one-call', 'races/unknown-tool', 'polling/one-shot']],
  ])('%s: equal that of the search that was not divided', async (name, deviations, scenarios) => {
    const search = await searchOf(name, deviations, scenarios);
    const whole = reportOf(await search());
    const shards: { file: string; report: ConformReport }[] = [];
    for (let part = 1; part <= OF; part++)
      shards.push({ file: `${part}.json`, report: reportOf(await search({ part, of: OF })) });
    const { report } = mergeReports(shards.toReversed(), { all: true });
    expect(findingsOf(report)).toEqual(findingsOf(whole));
    expect(report.failures!.length > 0).toBe(name !== 'reference');
    const seqs = report.exchanges.map(({ seq }) => seq);
    expect(new Set(seqs).size).toBe(seqs.length);
    expect(report.searched!.schedules).toBeLessThan(PLENTY);
    for (const { evidence } of report.checks) for (const seq of evidence) expect(seqs).toContain(seq);
  });
});
