import type { Scenario } from '../../../scenarios/format/types.js';
import { groupBy } from '../../../spec/lists.js';
import type { ConformReport } from '../../service/runner/result.js';
import { ReportError } from '../formats.js';
import type { NamedReport } from '../read-report.js';
import { mapFields } from '../redact-report.js';
import { createSearchReport } from '../search-report.js';
import { mergeChecks, sortRuns } from './merge-checks.js';
import { mergeShards, sortShards } from './merge-shards.js';
import { explainStops } from './shard-parts.js';

interface MergeOptions {
  /** Every failure of a search. */
  all?: boolean | undefined;
  /** Scenarios of the library: they show what a client may lack. */
  scenarios?: readonly Scenario[];
}

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
export function mergeReports(given: readonly NamedReport[], options: MergeOptions = {}): MergedReport {
  const kinds = groupBy(given, ({ report, file }) => classifyReport(report, file));
  const [[kind, [first]], other] = [...kinds] as [
    [ReportKind, NamedReport[]],
    [ReportKind, NamedReport[]] | undefined,
  ];
  if (other)
    throw new ReportError(
      `${first!.file} is a report ${KINDS[kind]}, and ${other[1][0]!.file} one ${KINDS[other[0]]}; merge them separately`,
    );
  const ordered = kind === 'search' ? sortShards(given) : sortRuns(given);
  const numbered = renumber(ordered);
  const names = new Set(numbered.map(({ report: { target } }) => target.client ?? target.base_url));
  const notes = names.size > 1 ? [`the reports name different targets: ${[...names].join(', ')}`] : [];
  const report =
    kind === 'search'
      ? mergeSearches(numbered, options)
      : mergeChecks(numbered, kind, readSpan(numbered.map(({ report: each }) => each)), options.scenarios);
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

function mergeSearches(given: readonly NamedReport[], { all }: MergeOptions): ConformReport {
  const reports = given.map(({ report }) => report);
  const stopped = explainStops(
    reports.map(({ searched, stopped }) => ({ shard: searched!.shard!, stopped })),
  );
  const { started, durationMs } = readSpan(reports);
  return createSearchReport(mergeShards(reports, durationMs), {
    client: reports[0]!.target.client!,
    started,
    again: ({ origin }) => origin!.again,
    file: ({ origin }) => origin!.file,
    all,
    stopped: stopped.length > 0 ? stopped.join('; ') : undefined,
  });
}

function readSpan(reports: readonly ConformReport[]): { started: Date; durationMs: number } {
  const starts = reports.map(({ started }) => Date.parse(started));
  const started = Math.min(...starts);
  const ended = Math.max(...reports.map(({ duration_ms }, index) => starts[index]! + duration_ms));
  return { started: new Date(started), durationMs: Math.round(ended - started) };
}
