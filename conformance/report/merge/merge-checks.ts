import type { Scenario } from '../../../scenarios/format/types.js';
import { groupBy, uniqueBy } from '../../../spec/lists.js';
import { type CheckResult, findDecisive } from '../../causes/check-result.js';
import { addLacks } from '../../check-client/results.js';
import {
  type ConformReport,
  createReport,
  explainUntested,
  measureCoverage,
} from '../../service/runner/result.js';
import { ReportError } from '../formats.js';
import type { NamedReport } from '../read-report.js';
import { mergeSequenceChecks, mergeSequences } from './merge-sequences.js';
import { explainStops, type ReportOfShard, sortParts } from './shard-parts.js';

/** Parts of a divided run in their order. Throws ReportError if they do not belong together. */
export function sortRuns(given: readonly NamedReport[]): readonly NamedReport[] {
  const parts = given.flatMap(({ file, report }): ReportOfShard[] =>
    report.shard ? [{ file, report, shard: report.shard }] : [],
  );
  if (parts.length === 0) return given;
  const other = given.find(({ report }) => !report.shard);
  if (other)
    throw new ReportError(
      `${parts[0]!.file} is the report of a shard, and ${other.file} that of a run that was not divided; merge them separately`,
    );
  return sortParts(parts, 'run', ({ report }) => [
    ['the seed', report.seed],
    ['time', report.target.time],
  ]);
}

/** Merges runs of `conform`, or of `client`: the parts of one, or runs with different suites or scenarios. */
export function mergeChecks(
  given: readonly NamedReport[],
  kind: 'client' | 'service',
  span: { started: Date; durationMs: number },
  scenarios: readonly Scenario[] = [],
): ConformReport {
  const reports = given.map(({ report }) => report);
  const [first] = reports as [ConformReport];
  const sequences = mergeSequences(reports);
  const checks = mergeResults(reports, sequences?.sequences ?? 0);
  const advice = uniqueBy(
    reports.flatMap((report) => report.advice ?? []),
    ({ id }) => id,
  );
  const baseline = mergeBaselines(reports, checks);
  const needs = [...new Set(reports.flatMap((report) => report.needs ?? []))];
  const operations = reports.find((report) => report.operations)?.operations;
  const shortened = sumCounts(reports.map((report) => report.shortened));
  const leftOut = sumCounts(reports.map((report) => report.left_out));
  const stopped = listStops(given);
  const report = createReport({
    target: first.target,
    seed: first.seed,
    started: span.started,
    duration_ms: span.durationMs,
    checks,
    ...(advice.length > 0 && { advice }),
    ...(sequences && { sequences }),
    exchanges: reports.flatMap(({ exchanges }) => exchanges),
    dialect: Object.assign({}, ...reports.map(({ dialect }) => dialect).reverse()),
    ...(needs.length > 0 && { needs }),
    ...(operations && { operations }),
    requirements: mergeCoverage(reports, kind, checks, stopped.length === 0),
    ...(shortened > 0 && { shortened }),
    ...(leftOut > 0 && { left_out: leftOut }),
    ...(stopped.length > 0 && { stopped: stopped.join('; ') }),
    ...(baseline && { baseline }),
  });
  const played = new Set(checks.map((check) => check.case));
  const known = scenarios.filter(({ name }) => played.has(name));
  return known.length === 0 ? report : { ...report, causes: addLacks(report.causes, known, checks) };
}

function mergeResults(reports: readonly ConformReport[], sequences: number): CheckResult[] {
  const all = reports.flatMap(({ checks }) => checks);
  const byId = groupBy(
    all.filter(({ suite }) => suite !== 'search'),
    ({ id }) => id,
  );
  const searched = all.filter(({ suite }) => suite === 'search');
  return [...[...byId.values()].map(findDecisive), ...mergeSequenceChecks(searched, sequences)];
}

function mergeCoverage(
  reports: readonly ConformReport[],
  kind: 'client' | 'service',
  checks: readonly CheckResult[],
  isComplete: boolean,
): ConformReport['requirements'] {
  const reasons = new Map(
    reports.flatMap(({ requirements }) => requirements.untested.map(({ id, why }) => [id, why])),
  );
  const isDivided = kind === 'service' && isComplete && reports[0]!.shard !== undefined;
  const measure = (isPartial: boolean) =>
    measureCoverage(
      kind,
      checks,
      (each) =>
        isDivided
          ? explainUntested(each, checks)
          : (reasons.get(each.id) ?? 'no report has a check that tests it'),
      { isPartial },
    );
  const whole = measure(false);
  return reports.every(({ requirements }) => requirements.total < whole.total) ? measure(true) : whole;
}

function listStops(given: readonly NamedReport[]): string[] {
  if (given[0]!.report.shard)
    return explainStops(given.map(({ report: { shard, stopped } }) => ({ shard: shard!, stopped })));
  return given.flatMap(({ file, report }) =>
    report.stopped === undefined ? [] : [`${file}: ${report.stopped}`],
  );
}

function sumCounts(counts: readonly (number | undefined)[]): number {
  return counts.reduce<number>((sum, count = 0) => sum + count, 0);
}

/**
 * Of runs with different suites or scenarios, one may need an entry that another does not: only problems of all remain. A shard reports
 * those that it can decide alone.
 */
function mergeBaselines(
  reports: readonly ConformReport[],
  checks: readonly CheckResult[],
): ConformReport['baseline'] {
  const baselines = reports.flatMap(({ baseline }) => baseline ?? []);
  const [first] = baselines;
  if (!first) return undefined;
  const all = [...new Set(baselines.flatMap(({ problems }) => problems))];
  const problems = reports[0]!.shard
    ? all
    : all.filter((each) => baselines.every((other) => other.problems.includes(each)));
  return { file: first.file, known: checks.filter(({ known }) => known !== undefined).length, problems };
}
