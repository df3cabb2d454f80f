import { expect } from 'vitest';
import type { Shard } from '../../../conformance/common/shard.js';
import { formatJsonReport } from '../../../conformance/report/formats/json.js';
import { mergeReports } from '../../../conformance/report/merge/merge-reports.js';
import { ReportView } from '../../../conformance/report/view.js';
import type { ConformReport } from '../../../conformance/service/runner/result.js';
import { loadLibrary } from '../../../scenarios/format/library/library.js';

/** As the JSON report has it. */
export function toWritten(report: ConformReport): ConformReport {
  return JSON.parse(formatJsonReport(new ReportView(report, { all: true }))) as ConformReport;
}

/** Runs each of `of` parts, and merges their reports, the last part first. */
export async function mergeParts(
  of: number,
  run: (shard: Shard) => Promise<ConformReport>,
): Promise<{ parts: ConformReport[]; merged: ConformReport }> {
  const parts: ConformReport[] = [];
  for (let part = 1; part <= of; part++) parts.push(toWritten(await run({ part, of })));
  const given = parts.map((report, index) => ({ file: `${index + 1}.json`, report })).reverse();
  const { report: merged } = mergeReports(given, { scenarios: await loadLibrary() });
  const seqs = merged.exchanges.map(({ seq }) => seq);
  expect(new Set(seqs).size).toBe(seqs.length);
  for (const { evidence } of merged.checks) for (const seq of evidence) expect(seqs).toContain(seq);
  return { parts, merged };
}

/** What a report says, without numbers of exchanges and times: the order of checks depends on which ends first. */
export function summarizeReport({ target, seed, shard, summary, ...report }: ConformReport): object {
  const {
    checks,
    causes,
    dialect,
    requirements,
    advice = [],
    stopped,
    sequences,
    needs,
    operations,
  } = report;
  return {
    ...{ target, seed, shard, summary, dialect, stopped, needs, operations },
    checks: checks.map(({ id, outcome }) => `${id} ${outcome}`).sort(),
    causes: causes
      .map(({ id, explains, lacks, severity, checks: ids }) => {
        return [id, explains, lacks, severity, ...ids.toSorted()].join(' ');
      })
      .sort(),
    tested: [requirements.tested, requirements.total],
    untested: requirements.untested.map(({ id }) => id),
    advice: advice.map(({ id }) => id).sort(),
    sequences: sequences?.sequences,
  };
}
