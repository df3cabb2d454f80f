import type { Side } from '../../spec/requirement-types.js';
import type { Mark } from '../../spec/signs.js';
import { toOneLine } from '../../spec/visible.js';
import { type CheckResult, type CheckSuite, DECIDED, summarizeChecks } from '../causes/check-result.js';

import { formatCount, formatTime } from '../common/text.js';
import { type ConformReport, formatRunTime } from '../service/runner/result.js';

export interface ReadingOptions {
  /** Inconclusive and flaky checks count as failed. */
  strict?: boolean | undefined;
  /** Shows every failure, not only causes. */
  all?: boolean | undefined;
}

/**
 * `conforms`: something was tested, and nothing failed. `incomplete`: the same, but the run ended early. `untested`: no
 * check passed or failed. `crashed`: no check failed, but taskdouble itself failed in some. Each with its text and its
 * outcome.
 */
export const VERDICTS = {
  conforms: { words: 'conforms', mark: 'passed' },
  incomplete: { words: 'was not tested to the end', mark: 'inconclusive' },
  violations: { words: 'does not conform', mark: 'failed' },
  untested: { words: 'nothing could be tested', mark: 'inconclusive' },
  crashed: { words: 'was not judged in full: taskdouble itself failed', mark: 'error' },
} as const satisfies Record<string, { words: string; mark: Mark }>;
export type ReportVerdict = keyof typeof VERDICTS;

export function isFailing({ outcome, known }: CheckResult, { strict }: ReadingOptions = {}): boolean {
  if (outcome === 'failed') return known === undefined;
  return outcome === 'error' || ((outcome === 'inconclusive' || outcome === 'flaky') && strict === true);
}

/** Failures of the target, in the order of the report. */
export function listFailures(report: ConformReport, options: ReadingOptions = {}): CheckResult[] {
  return report.checks.filter((check) => check.outcome !== 'error' && isFailing(check, options));
}

export function listKnownFailures({ checks }: ConformReport): CheckResult[] {
  return checks.filter(({ outcome, known }) => outcome === 'failed' && known !== undefined);
}

/** Whether any check was decided. The check for unknown scenarios alone does not show that a client is correct. */
export function isTested({ checks }: ConformReport): boolean {
  return checks.some(
    ({ outcome, suite }) =>
      DECIDED.includes(outcome) && (outcome !== 'passed' || suite !== 'unknown-scenario'),
  );
}

const SIDES: readonly Side[] = ['client', 'service'];

/** The judged sides of a report on recorded exchanges; empty for other reports. */
export function listSides({ checks }: ConformReport): Side[] {
  return SIDES.filter((each) => checks.some(({ side }) => side === each));
}

/** The part of a report on recorded exchanges that concerns one side. */
export function selectSide(report: ConformReport, side: Side): ConformReport {
  const checks = report.checks.filter((check) => check.side === side);
  return { ...report, checks, summary: summarizeChecks(checks) };
}

/**
 * For recorded exchanges the worst verdict of the sides: without evidence about one side there is no verdict on the
 * conversation.
 */
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
  // In strict mode an inconclusive check fails; an early end does not.
  if (!isTested(report) && !isCrashed && (failures === 0 || stopped !== undefined)) {
    // The user ended the run: this does not show what could be tested.
    return stopped === 'interrupted' ? 'incomplete' : 'untested';
  }
  if (failures + (baseline?.problems.length ?? 0) > 0) return 'violations';
  if (isCrashed) return 'crashed';
  return stopped === undefined ? 'conforms' : 'incomplete';
}

/** The judged target: the command of a client, the address of a service, or the sides of recorded exchanges. */
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

/** A report on recorded exchanges is split by side. */
export function splitSides(report: ConformReport): ConformReport[] {
  const sides = listSides(report);
  return sides.length < 2 ? [report] : sides.map((side) => selectSide(report, side));
}

/** `taskdouble 0.1.0, seed 7`, the shard, the time of the runs of a client, and what is shortened. */
export function formatColophon({ taskdouble, seed, shard, target, shortened }: ConformReport): string {
  const label = target.time && formatRunTime(target.time, target.adapter);
  const time = label === undefined ? '' : `, in ${label.replace(/^(\w+)/, '$1 time')}`;
  const cut =
    shortened === undefined
      ? ''
      : `, bodies of ${formatCount(shortened, 'exchange')} shortened to bound the memory of the run`;
  const part = shard ? `, shard ${shard.part}/${shard.of}` : '';
  return `taskdouble ${taskdouble}, seed ${seed}${part}${time}${cut}`;
}

/** The recommended order of implementation: later stages need earlier ones. */
export const STAGES: readonly { name: string; suites: readonly CheckSuite[] }[] = [
  { name: 'create and poll', suites: ['polling', 'status-codes'] },
  { name: 'tools', suites: ['tool-calls'] },
  { name: 'sessions', suites: ['sessions'] },
  { name: 'errors', suites: ['errors', 'limits', 'auth'] },
  { name: 'resources', suites: ['resources'] },
];

/** How far the implementation of a service is; undefined if nothing fails, and for other kinds of reports. */
export function describeStages({ checks, target, searched }: ConformReport): string | undefined {
  const isOfService = target.client === undefined && searched === undefined;
  if (!isOfService || checks.some(({ side }) => side !== undefined)) return undefined;
  const stages = STAGES.map(({ name, suites }) => {
    const own = checks.filter(({ suite }) => suites.includes(suite));
    return { name, suites, passed: countOutcome(own, 'passed'), failed: countOutcome(own, 'failed') };
  }).filter(({ passed, failed }) => passed + failed > 0);
  const next = stages.find(({ failed }) => failed > 0);
  if (!next || stages.length < 2) return undefined;
  const shown = stages.map(({ name, passed, failed }) => {
    const state = failed === 0 ? 'done' : `${passed} of ${passed + failed} passed`;
    return `${name} ${state}`;
  });
  const flags = next.suites.map((suite) => `--suite ${suite}`).join(' ');
  return `${shown.join(', ')}. Next: ${next.name} (${flags}).`;
}

function countOutcome(checks: readonly CheckResult[], wanted: CheckResult['outcome']): number {
  return checks.filter(({ outcome, known }) => outcome === wanted && known === undefined).length;
}

/** Changes since an earlier report: checks that pass now, and checks that passed and fail now. Undefined without changes. */
export function describeChanges(before: ConformReport, report: ConformReport): string | undefined {
  const outcomes = new Map(before.checks.map(({ id, outcome }) => [id, outcome]));
  const hasFailedBefore = (id: string) => outcomes.has(id) && outcomes.get(id) !== 'passed';
  const gained = report.checks.filter(({ id, outcome }) => outcome === 'passed' && hasFailedBefore(id));
  const lost = report.checks.filter(
    ({ id, outcome }) => outcome === 'failed' && outcomes.get(id) === 'passed',
  );
  if (gained.length + lost.length === 0) return undefined;
  const names = lost.slice(0, MOST_NAMED).map(({ id }) => id);
  const more = lost.length > names.length ? `, and ${lost.length - names.length} more` : '';
  const broken =
    lost.length === 0 ? '' : `; ${lost.length} passed then and fail now: ${names.join(', ')}${more}`;
  return `${gained.length} more pass${broken}`;
}

const MOST_NAMED = 5;
