import { groupBy, uniqueBy } from '../../../spec/lists.js';

import type { Exchange } from '../../../spec/vocabulary.js';
import { type CheckResult, findDecisive } from '../../causes/check-result.js';
import { type ConformReport, createReport, measureCoverage } from '../../service/runner/result.js';
import { ReportError } from '../formats.js';
import type { NamedReport } from '../read-report.js';
import { mapFields } from '../redact-report.js';
import { createSearchReport } from '../search-report.js';
import { mergeShards, sortShards } from './merge-shards.js';

interface MergedReport {
  report: ConformReport;
  /** Notes for the user, in sentences. */
  notes: string[];
}

const KINDS = { search: 'of explore', client: 'of client', service: 'of conform' } as const;
type ReportKind = keyof typeof KINDS;

/**
 * Merges the reports of shards, or of runs with different suites or scenarios. Causes are computed again. Exchanges of
 * report n are numbered from n-1 times a power of ten. Throws ReportError for reports that do not belong together.
 */
export function mergeReports(given: readonly NamedReport[], options: { all?: boolean } = {}): MergedReport {
  const kinds = groupBy(given, ({ report, file }) => classifyReport(report, file));
  const [[kind, [first]], other] = [...kinds] as [
    [ReportKind, NamedReport[]],
    [ReportKind, NamedReport[]] | undefined,
  ];
  if (other)
    throw new ReportError(
      `${first!.file} is a report ${KINDS[kind]}, and ${other[1][0]!.file} one ${KINDS[other[0]]}; merge them separately`,
    );
  const ordered = kind === 'search' ? sortShards(given) : given;
  const numbered = renumber(ordered);
  const names = new Set(numbered.map(({ report: { target } }) => target.client ?? target.base_url));
  const notes = names.size > 1 ? [`the reports name different targets: ${[...names].join(', ')}`] : [];
  const report = kind === 'search' ? mergeSearches(numbered, options) : mergeChecks(numbered, kind);
  return { report, notes };
}

function classifyReport({ searched, target, checks }: ConformReport, file: string): ReportKind {
  if (checks.some(({ side }) => side !== undefined))
    throw new ReportError(
      `${file} is a report on recorded exchanges; give all recordings to one "taskdouble check" instead`,
    );
  if (searched !== undefined) return 'search';
  return target.client === undefined ? 'service' : 'client';
}

/** Renumbers the exchanges of each report but the first: 12 becomes 1012 in the second, 2012 in the third. */
function renumber(given: readonly NamedReport[]): NamedReport[] {
  const highest = Math.max(1, ...given.flatMap(({ report }) => report.exchanges.map(({ seq }) => seq)));
  const step = 10 ** String(highest).length;
  return given.map(({ file, report }, index) => {
    const shiftSeq = (seq: number) => seq + index * step;
    const shiftList = (seqs: unknown) => (Array.isArray(seqs) ? seqs.map(shiftSeq) : seqs);
    const { exchanges, ...others } = report;
    const numbered: ConformReport = {
      ...mapFields(others, SEQS, shiftList),
      exchanges: exchanges.map((each) => ({ ...each, seq: shiftSeq(each.seq) })),
    };
    return { file, report: numbered };
  });
}

/** Lists of `seq`s in a report. */
const SEQS: ReadonlySet<string> = new Set(['evidence', 'again_in', 'run']);

function mergeSearches(given: readonly NamedReport[], { all }: { all?: boolean }): ConformReport {
  const reports = given.map(({ report }) => report);
  const [{ searched, target }] = reports as [ConformReport];
  const { of } = searched!.shard!;
  const parts = new Set(reports.map((report) => report.searched!.shard!.part));
  const missing = Array.from({ length: of }, (_, index) => index + 1).filter((part) => !parts.has(part));
  const stopped = [
    ...(missing.length > 0
      ? [`${missing.length === 1 ? 'shard' : 'shards'} ${formatParts(missing, of)} missing`]
      : []),
    ...reports.flatMap((report) =>
      report.stopped === undefined ? [] : [`shard ${report.searched!.shard!.part}/${of}: ${report.stopped}`],
    ),
  ];
  const { started, durationMs } = readSpan(reports);
  return createSearchReport(mergeShards(reports, durationMs), {
    client: target.client!,
    started,
    again: ({ origin }) => origin!.again,
    file: ({ origin }) => origin!.file,
    all,
    stopped: stopped.length > 0 ? stopped.join('; ') : undefined,
  });
}

/** `2/4 is`, `2/4 and 3/4 are`; at most ten. */
function formatParts(parts: readonly number[], of: number): string {
  const named = parts.slice(0, 10).map((part) => `${part}/${of}`);
  if (parts.length > named.length) named.push(`${parts.length - named.length} more`);
  const [last, ...others] = named.reverse();
  return others.length === 0 ? `${last} is` : `${others.reverse().join(', ')} and ${last} are`;
}

function readSpan(reports: readonly ConformReport[]): { started: Date; durationMs: number } {
  const starts = reports.map(({ started }) => Date.parse(started));
  const started = Math.min(...starts);
  const ended = Math.max(...reports.map(({ duration_ms }, index) => starts[index]! + duration_ms));
  return { started: new Date(started), durationMs: Math.round(ended - started) };
}

function mergeChecks(given: readonly NamedReport[], kind: 'client' | 'service'): ConformReport {
  const reports = given.map(({ report }) => report);
  const [first] = reports as [ConformReport];
  const byId = groupBy(
    reports.flatMap(({ checks }) => checks),
    ({ id }) => id,
  );
  const checks = [...byId.values()].map(findDecisive);
  const exchanges: Exchange[] = reports.flatMap((report) => report.exchanges);
  const advice = uniqueBy(
    reports.flatMap((report) => report.advice ?? []),
    ({ id }) => id,
  );
  const untestedReasons = new Map(
    reports.flatMap(({ requirements }) => requirements.untested.map(({ id, why }) => [id, why])),
  );
  const mergeCoverage = (isPartial: boolean) =>
    measureCoverage(
      kind,
      checks,
      ({ id }) => untestedReasons.get(id) ?? 'no report has a check that tests it',
      {
        isPartial,
      },
    );
  const whole = mergeCoverage(false);
  const isPartial = reports.every(({ requirements }) => requirements.total < whole.total);
  const baseline = mergeBaselines(reports, checks);
  const stopped = given.flatMap(({ file, report }) =>
    report.stopped === undefined ? [] : [`${file}: ${report.stopped}`],
  );
  const shortened = reports.reduce((sum, report) => sum + (report.shortened ?? 0), 0);
  const leftOut = reports.reduce((sum, report) => sum + (report.left_out ?? 0), 0);
  const { started, durationMs } = readSpan(reports);
  return createReport({
    target: first.target,
    seed: first.seed,
    started,
    duration_ms: durationMs,
    checks,
    ...(advice.length > 0 && { advice }),
    exchanges,
    dialect: Object.assign({}, ...reports.map(({ dialect }) => dialect).reverse()),
    requirements: isPartial ? mergeCoverage(true) : whole,
    ...(shortened > 0 && { shortened }),
    ...(leftOut > 0 && { left_out: leftOut }),
    ...(stopped.length > 0 && { stopped: stopped.join('; ') }),
    ...(baseline && { baseline }),
  });
}

/** One part may need an entry that another does not: only problems of all parts remain. */
function mergeBaselines(
  reports: readonly ConformReport[],
  checks: readonly CheckResult[],
): ConformReport['baseline'] {
  const baselines = reports.flatMap(({ baseline }) => baseline ?? []);
  const [first] = baselines;
  if (!first) return undefined;
  const problems = first.problems.filter((each) => baselines.every((other) => other.problems.includes(each)));
  return { file: first.file, known: checks.filter(({ known }) => known !== undefined).length, problems };
}
