import type { Side } from '../../spec/requirement-types.js';
import type { Mark } from '../../spec/signs.js';
import { toOneLine } from '../../spec/visible.js';
import { formatCount, formatTime } from '../common/text.js';
import { type CheckResult, type ConformReport, DECIDED, summarizeChecks } from '../service/runner/result.js';

/** How a report is read. */
export interface ReadingOptions {
  /** Inconclusive and flaky count as failed. */
  strict?: boolean | undefined;
  /** Every failure is shown, not only causes. */
  all?: boolean | undefined;
}

/**
 * `conforms`: something was tested, and nothing fails. `incomplete`: the same, but the run ended early. `untested`: no check
 * passed or failed. `crashed`: no check failed, but taskdouble itself failed in some. Each in words, and as an outcome.
 */
export const VERDICTS = {
  conforms: { words: 'conforms', mark: 'passed' },
  incomplete: { words: 'was not tested to the end', mark: 'inconclusive' },
  violations: { words: 'does not conform', mark: 'failed' },
  untested: { words: 'nothing could be tested', mark: 'inconclusive' },
  crashed: { words: 'was not judged in full: taskdouble itself failed', mark: 'error' },
} as const satisfies Record<string, { words: string; mark: Mark }>;
export type ReportVerdict = keyof typeof VERDICTS;

/** Whether a check fails the run. */
export function isFailing({ outcome, known }: CheckResult, { strict }: ReadingOptions = {}): boolean {
  if (outcome === 'failed') return known === undefined;
  return outcome === 'error' || ((outcome === 'inconclusive' || outcome === 'flaky') && strict === true);
}

/** Checks in which the target fails the run, in the order of the report. */
export function listFailures(report: ConformReport, options: ReadingOptions = {}): CheckResult[] {
  return report.checks.filter((check) => check.outcome !== 'error' && isFailing(check, options));
}

/** Failures that the baseline has as known. */
export function listKnownFailures({ checks }: ConformReport): CheckResult[] {
  return checks.filter(({ outcome, known }) => outcome === 'failed' && known !== undefined);
}

/** Whether anything was decided. That a client is honest does not say whether it is right. */
export function isTested({ checks }: ConformReport): boolean {
  return checks.some(
    ({ outcome, suite }) =>
      DECIDED.includes(outcome) && (outcome !== 'passed' || suite !== 'unknown-scenario'),
  );
}

const SIDES: readonly Side[] = ['client', 'service'];

/** The sides that a report on recorded exchanges judges; none of other reports. */
export function listSides({ checks }: ConformReport): Side[] {
  return SIDES.filter((each) => checks.some(({ side }) => side === each));
}

/** The report on one side of recorded exchanges. */
export function selectSide(report: ConformReport, side: Side): ConformReport {
  const checks = report.checks.filter((check) => check.side === side);
  return { ...report, checks, summary: summarizeChecks(checks) };
}

/** Of recorded exchanges the worst of the sides: nothing is said of a conversation of which one side showed nothing. */
export function decideVerdict(report: ConformReport, options: ReadingOptions = {}): ReportVerdict {
  const sides = listSides(report);
  if (sides.length < 2) return decideSideVerdict(report, options);
  const verdicts = sides.map((side) => decideSideVerdict(selectSide(report, side), options));
  return WORST_FIRST.find((each) => verdicts.includes(each))!;
}

const WORST_FIRST = ['violations', 'crashed', 'untested', 'incomplete', 'conforms'] as const;

function decideSideVerdict(report: ConformReport, options: ReadingOptions): ReportVerdict {
  const { checks, baseline, stopped } = report;
  const isCrashed = checks.some(({ outcome }) => outcome === 'error');
  const failures = listFailures(report, options).length;
  // Strictly, an inconclusive check is a failure; a run that ended early is none.
  if (!isTested(report) && !isCrashed && (failures === 0 || stopped !== undefined)) {
    // The user ended it: that says nothing about what could be tested.
    return stopped === 'interrupted' ? 'incomplete' : 'untested';
  }
  if (failures + (baseline?.problems.length ?? 0) > 0) return 'violations';
  if (isCrashed) return 'crashed';
  return stopped === undefined ? 'conforms' : 'incomplete';
}

/** What was judged, as reports call it: the command of a client, the address of a service; of recorded exchanges the sides. */
export function formatTargetName(report: ConformReport): string {
  const { client, base_url } = report.target;
  const sides = listSides(report);
  if (!sides.includes('client')) return client ?? base_url;
  return sides.length === 1 ? `the client of ${base_url}` : `${base_url} with its client`;
}

/** `3 failed (1 known), 2 flaky, 120 passed, 5 inconclusive, 2 skipped in 4.2 s`. */
export function formatSummary(report: ConformReport): string {
  const { passed, failed, flaky = 0, error = 0, inconclusive, skipped } = report.summary;
  const known = listKnownFailures(report).length;
  const problems = report.baseline?.problems.length ?? 0;
  const parts = [
    `${failed} failed${known > 0 ? ` (${known} known)` : ''}`,
    ...(flaky > 0 ? [`${flaky} flaky`] : []),
    ...(error > 0 ? [formatCount(error, 'error')] : []),
    `${passed} passed`,
    `${inconclusive} inconclusive`,
    `${skipped} skipped`,
    ...(problems > 0 ? [`${formatCount(problems, 'problem')} with the baseline`] : []),
  ];
  return `${parts.join(', ')} in ${formatTime(report.duration_ms)}`;
}

/** `http://127.0.0.1:4010 conforms: 0 failed, 120 passed, …`. */
export function formatVerdict(report: ConformReport, options: ReadingOptions = {}): string {
  return `${toOneLine(formatTargetName(report))} ${VERDICTS[decideVerdict(report, options)].words}: ${formatSummary(report)}`;
}

/** Of recorded exchanges the reports on each side; of others the report itself. */
export function splitSides(report: ConformReport): ConformReport[] {
  const sides = listSides(report);
  return sides.length < 2 ? [report] : sides.map((side) => selectSide(report, side));
}

/** `taskdouble 0.1.0, seed 7`, of a client whose time its runs took, and what is not shown whole. */
export function formatColophon({ taskdouble, seed, target, shortened }: ConformReport): string {
  const time = target.time === undefined ? '' : `, in ${target.time.replace(/^(\w+)/, '$1 time')}`;
  const cut =
    shortened === undefined
      ? ''
      : `, bodies of ${formatCount(shortened, 'exchange')} shortened to bound the memory of the run`;
  return `taskdouble ${taskdouble}, seed ${seed}${time}${cut}`;
}
