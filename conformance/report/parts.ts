import { openPoints } from '../../spec/generated/documents.js';
import { groupBy } from '../../spec/lists.js';
import type { OpenPoint } from '../../spec/requirement-types.js';
import type { Mark } from '../../spec/signs.js';
import { toOneLine } from '../../spec/visible.js';
import { readSubject } from '../causes/causes.js';
import { formatCount } from '../common/text.js';
import { describePresence } from '../service/runner/presence.js';
import type { ConformReport, SequenceSearchResult } from '../service/runner/result.js';
import { describeStages, isFailing, type ReadingOptions } from './verdict.js';
import type { ReportView } from './view.js';

/** One row of a part. Formats escape its texts. */
export interface ReportRow {
  mark?: Mark;
  /** The subject; several names if they share a text. */
  name?: string | readonly string[];
  text: string;
  more?: string;
}

/** A section of a report other than the failures. */
export interface ReportPart {
  title: string;
  note?: string;
  rows: ReportRow[];
  /** The rows of a summary. Default: all. */
  brief?: ReportRow[];
  /** Always shown, even without room: it fails the run, or says what the run is worth. */
  isEssential?: boolean;
}

/** Most characters of names of flaky checks in a summary. */
const LONGEST_NAMES = 240;

/** The name of a row: the first of several names, up to `most` characters, and the number of names left out. */
export function formatRowName({ name }: ReportRow, most: number): string | undefined {
  if (name === undefined || typeof name === 'string') return name;
  let shown = 0;
  while (shown < name.length && name.slice(0, shown + 1).join(', ').length <= most) shown++;
  const left = name.length - shown;
  if (shown === 0) return formatCount(left, 'check');
  return name.slice(0, shown).join(', ') + (left > 0 ? ` and ${left} more` : '');
}

const hasRows = ({ rows }: ReportPart) => rows.length > 0;
const OPEN_POINTS: ReadonlyMap<string, OpenPoint> = new Map(openPoints.map((each) => [each.id, each]));

/** Known failures, flaky checks, and undecided checks by their common reason. */
export function listOtherChecks({ report, options, known: failures }: ReportView): ReportPart[] {
  const known = failures.map(({ id, known: why }) => {
    return { mark: 'known' as const, name: id, text: `${why!.reason} (until ${why!.expires})` };
  });
  const flaky = listFlakyRows(report, options);
  const parts: ReportPart[] = [
    { title: 'Known failures', rows: known },
    {
      title: 'Flaky',
      note: 'failed, then passed on a retry',
      rows: flaky,
      brief: flaky.map((row) => ({ ...row, name: formatRowName(row, LONGEST_NAMES)! })),
      isEssential: true,
    },
    { title: 'Errors of taskdouble', rows: groupByReason(report, options, 'error'), isEssential: true },
    { title: 'Inconclusive', rows: groupByReason(report, options, 'inconclusive') },
    { title: 'Skipped', rows: groupByReason(report, options, 'skipped') },
  ];
  return parts.filter(hasRows);
}

/** Flaky checks by what failed in them, the most frequent first. */
function listFlakyRows(report: ConformReport, options: ReadingOptions): ReportRow[] {
  const found = report.checks.filter((check) => check.outcome === 'flaky' && !isFailing(check, options));
  return groupByFrequency(found, readSubject).map(([, checks]) => {
    return { mark: 'flaky', name: checks.map(({ id }) => id), text: toOneLine(checks[0]!.message) };
  });
}

function groupByReason(
  report: ConformReport,
  options: ReadingOptions,
  mark: 'error' | 'inconclusive' | 'skipped',
): ReportRow[] {
  const found = report.checks.filter(
    (check) => check.outcome === mark && (mark === 'error' || !isFailing(check, options)),
  );
  return groupByFrequency(found, ({ message }) => toOneLine(message)).map(([text, checks]) => {
    return { mark, name: checks.map(({ id }) => id), text };
  });
}

/** Sections that do not concern single checks. */
export function listParts(report: ConformReport): ReportPart[] {
  const { baseline, gaps = [], requirements: covered } = report;
  const problems = (baseline?.problems ?? []).map((text) => ({ mark: 'failed' as const, text }));
  const dialect = listDialectRows(report);
  const isUnusual = dialect.some(({ mark }) => mark === 'unusual');
  const untested = groupByFrequency(covered.untested, ({ why }) => why).map(([text, group]) => {
    return { name: group.map(({ id }) => id), text };
  });
  return [
    ...[
      ...listOperationParts(report),
      { title: 'Baseline', rows: problems, isEssential: true },
      { title: 'Not judged', rows: gaps.map((text) => ({ text })), isEssential: true },
      { title: 'Advice', note: 'fails nothing', rows: listAdviceRows(report) },
      {
        title: 'Dialect observed',
        ...(isUnusual ? { note: '* differs from what the mock does by default' } : {}),
        rows: dialect,
        brief: dialect.filter(({ mark }) => mark === 'unusual'),
      },
      createSearchPart(report),
      {
        title: 'Differences that no rule decides',
        note: 'fails nothing',
        rows: listObservationRows(report),
      },
    ].filter(hasRows),
    // A search, a replay and a selection of checks without requirements have no coverage.
    ...(covered.total === 0
      ? []
      : [{ title: 'Requirements', note: `${covered.tested} of ${covered.total} tested`, rows: untested }]),
  ];
}

/** The existing operations if some are missing, and the next step if something fails. */
function listOperationParts(report: ConformReport): ReportPart[] {
  const { operations } = report;
  const order = describeStages(report);
  return [
    ...(operations
      ? [
          {
            title: describePresence(operations),
            rows: [{ text: `add this to the configuration: lacks: [${operations.lacks.join(', ')}]` }],
            isEssential: true,
          },
        ]
      : []),
    ...(order === undefined ? [] : [{ title: 'Order of work', rows: [{ text: order }], isEssential: true }]),
  ];
}

/** Advice by rule, the most frequent first. */
function listAdviceRows({ advice = [] }: ConformReport): ReportRow[] {
  return groupByFrequency(advice, ({ rule }) => rule).map(([rule, [first, ...others]]) => {
    const { scenario, message } = first!;
    const more = others.length > 0 ? ` and ${others.length} more` : '';
    const where = scenario === undefined ? '' : `, in ${scenario}`;
    return { mark: 'advice', name: `${rule}${where}${more}`, text: message };
  });
}

function listDialectRows({ dialect }: ConformReport): ReportRow[] {
  return Object.entries(dialect).map(([id, chosen]) => {
    const point = OPEN_POINTS.get(id);
    const choice = String(chosen);
    const unit = point?.kind === 'number' ? ` ${point.choices.unit}` : '';
    const meanings: Readonly<Record<string, string>> = point?.kind === 'choice' ? point.choices : {};
    const meaning = Object.hasOwn(meanings, choice) ? meanings[choice]! : (point?.question ?? '');
    const mark = String(point?.default) === choice ? {} : { mark: 'unusual' as const };
    return { ...mark, name: id, text: choice + unit, more: meaning };
  });
}

/** Coverage and nondeterminism of a search in words; empty for other runs. */
export function describeSearch({ searched, sequences }: ConformReport): string[] {
  if (sequences !== undefined) return [describeSequences(sequences)];
  if (searched === undefined) return [];
  const { schedules, distinct, not_triggered, repeated, nondeterministic, statement, likely_source } =
    searched;
  const runs = `${formatCount(schedules, 'schedule')}: ${distinct} distinct, ${not_triggered} not triggered; ${repeated} run twice, ${nondeterministic.length} of them nondeterministic`;
  // The JSON report has the differences.
  return [
    statement,
    `${runs}.`,
    ...(likely_source === undefined ? [] : [`Nondeterministic: ${likely_source}`]),
  ];
}

/** Differences between a service and its model that violate no rule. */
function listObservationRows({ sequences }: ConformReport): ReportRow[] {
  return (sequences?.observations ?? []).map((each) => {
    const { operation, condition, about, expected, actual, seen } = each;
    const name = `${operation}${condition === 'plain' ? '' : ` (${condition})`}`;
    const what = about === 'status' ? '' : `${about}: `;
    return {
      mark: 'advice',
      name,
      text: `${what}expected ${expected}, got ${actual} (seen ${seen} times)`,
    };
  });
}

function createSearchPart(report: ConformReport): ReportPart {
  const rows = describeSearch(report).map((text) => ({ text }));
  // The counts matter if some schedules were nondeterministic.
  const brief = rows.filter((_, at) => at !== 1 || rows.length > 2);
  return { title: 'Searched', rows, brief, isEssential: true };
}

function describeSequences({ sequences, requests, coverage, stopped }: SequenceSearchResult): string {
  const formatShare = (covered: number, of: number) =>
    `${covered} of ${of} (${Math.round((100 * covered) / Math.max(1, of))} %)`;
  const all = `${formatCount(sequences, 'generated sequence')} of ${formatCount(requests, 'request')}; ${formatShare(coverage.cells, coverage.of)} of the combinations of operation, state and condition that could be drawn, ${formatShare(coverage.pairs, coverage.of_pairs)} of the pairs of operations, one after the other, and ${formatShare(coverage.states, coverage.of_states)} of the pairs of an operation and a state${formatUncovered(coverage.uncovered)}`;
  return stopped === undefined ? `${all}.` : `${all}. Ended early: ${stopped}`;
}

/** Longer lists are in the JSON report only. */
const MOST_UNCOVERED = 5;

function formatUncovered(uncovered: readonly string[]): string {
  const isShort = uncovered.length > 0 && uncovered.length <= MOST_UNCOVERED;
  return isShort ? ` (not sent: ${uncovered.join('; ')})` : '';
}

/** The most frequent group first. */
function groupByFrequency<T>(items: readonly T[], readKey: (item: T) => string): [key: string, items: T[]][] {
  return [...groupBy(items, readKey)].sort(([, one], [, other]) => other.length - one.length);
}
