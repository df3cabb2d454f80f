import { openPoints, requirements } from '../../spec/generated/documents.js';
import type { OpenPoint, Requirement } from '../../spec/requirement-types.js';
import type { Exchange } from '../../spec/vocabulary.js';
import type { CheckResult, ConformReport, Summary } from '../service/runner/result.js';
import { count, oneLine, showTime } from './text.js';

/** How a report is read. */
export interface ReadingOptions {
  /** Inconclusive counts as failed. */
  strict?: boolean | undefined;
}

/** What was judged, as reports call it: the command of a client, the address of a service. */
export function nameOf({ target }: ConformReport): string {
  return target.client ?? target.base_url;
}

/** `taskdouble 0.1.0, seed 7`, of a client whose time its runs took, and what is not shown whole. */
export function colophon({ taskdouble, seed, target, shortened }: ConformReport): string {
  const time = target.time === undefined ? '' : `, in ${target.time.replace(/^(\w+)/, '$1 time')}`;
  const cut =
    shortened === undefined
      ? ''
      : `, bodies of ${count(shortened, 'exchange')} shortened to bound the memory of the run`;
  return `taskdouble ${taskdouble}, seed ${seed}${time}${cut}`;
}

/** Whether a check fails the run. */
export function fails({ outcome, known }: CheckResult, { strict }: ReadingOptions = {}): boolean {
  if (outcome === 'failed') return known === undefined;
  if (outcome === 'error') return true;
  return outcome === 'inconclusive' && strict === true;
}

/** Checks in which the target fails the run, in the order of the report. */
export function failuresOf(report: ConformReport, options: ReadingOptions = {}): CheckResult[] {
  return report.checks.filter((check) => check.outcome !== 'error' && fails(check, options));
}

/** Checks in which taskdouble itself failed. */
export function errorsOf(report: ConformReport): CheckResult[] {
  return report.checks.filter(({ outcome }) => outcome === 'error');
}

/** Failures that the baseline has as known. */
export function knownOf(report: ConformReport): CheckResult[] {
  return report.checks.filter(({ outcome, known }) => outcome === 'failed' && known !== undefined);
}

/**
 * `conforms`: something was tested, and nothing fails. `incomplete`: the same, but the run ended early. `untested`: no check
 * passed or failed. `crashed`: no check failed, but taskdouble itself failed in some.
 */
export type ReportVerdict = 'conforms' | 'incomplete' | 'violations' | 'untested' | 'crashed';

/** Whether anything was decided. That a client is honest does not say whether it is right. */
export function isTested({ checks }: ConformReport): boolean {
  return checks.some(
    ({ outcome, suite }) => (outcome === 'passed' && suite !== 'unknown-scenario') || outcome === 'failed',
  );
}

export function verdictOf(report: ConformReport, options: ReadingOptions = {}): ReportVerdict {
  const tested = isTested(report);
  const crashed = errorsOf(report).length > 0;
  const failures = failuresOf(report, options).length;
  // Strictly, an inconclusive check is a failure; a run that ended early is none.
  if (!tested && !crashed && (failures === 0 || report.stopped !== undefined)) {
    // The user ended it: that says nothing about what could be tested.
    return report.stopped === 'interrupted' ? 'incomplete' : 'untested';
  }
  const broken = failures + (report.baseline?.problems.length ?? 0);
  if (broken > 0) return 'violations';
  if (crashed) return 'crashed';
  return report.stopped === undefined ? 'conforms' : 'incomplete';
}

export const VERDICT_WORDS: Readonly<Record<ReportVerdict, string>> = {
  conforms: 'conforms',
  incomplete: 'was not tested to the end',
  violations: 'does not conform',
  untested: 'nothing could be tested',
  crashed: 'was not judged in full: taskdouble itself failed',
};

/** `3 failed (1 known), 120 passed, 5 inconclusive, 2 skipped in 4.2 s`. */
export function summaryLine(report: ConformReport): string {
  const { passed, failed, error = 0, inconclusive, skipped } = report.summary;
  const known = knownOf(report).length;
  const parts = [
    `${failed} failed${known > 0 ? ` (${known} known)` : ''}`,
    ...(error > 0 ? [count(error, 'error')] : []),
    `${passed} passed`,
    `${inconclusive} inconclusive`,
    `${skipped} skipped`,
  ];
  const problems = report.baseline?.problems.length ?? 0;
  const baseline = problems > 0 ? `, ${count(problems, 'problem')} with the baseline` : '';
  return `${parts.join(', ')}${baseline} in ${showTime(report.duration_ms)}`;
}

/** `http://127.0.0.1:4010 conforms: 0 failed, 120 passed, …`. */
export function verdictLine(report: ConformReport, options: ReadingOptions = {}): string {
  return `${oneLine(nameOf(report))} ${VERDICT_WORDS[verdictOf(report, options)]}: ${summaryLine(report)}`;
}

const byId: ReadonlyMap<string, Requirement> = new Map(requirements.map((each) => [each.id, each]));
const points: ReadonlyMap<string, OpenPoint> = new Map(openPoints.map((each) => [each.id, each]));

/** The requirement that a check decides. */
export function requirementOf({ covers }: CheckResult): Requirement | undefined {
  return byId.get(covers[0] ?? '');
}

/** `POLL-02 (Polling rules): A task that …`. */
export function inWords({ id, section, rule }: Requirement): string {
  return `${id} (${section}): ${rule}`;
}

/** The exchanges of a report by their number. */
export class Evidence {
  readonly #bySeq: ReadonlyMap<number, Exchange>;
  readonly #byTask = new Map<string, Exchange[]>();
  /** The task of each exchange. Runs of a client begin anew, with the same ids: each creation begins another task. */
  readonly #taskOf = new Map<Exchange, string>();

  constructor({ exchanges }: ConformReport) {
    this.#bySeq = new Map(exchanges.map((exchange) => [exchange.seq, exchange]));
    const made = new Map<string, number>();
    for (const exchange of exchanges) {
      const id = taskOf(exchange);
      if (id === undefined) continue;
      if (exchange.kind === 'create') made.set(id, (made.get(id) ?? 0) + 1);
      const task = `${id} ${made.get(id) ?? 0}`;
      this.#taskOf.set(exchange, task);
      const kept = this.#byTask.get(task) ?? [];
      kept.push(exchange);
      this.#byTask.set(task, kept);
    }
  }

  /** What shows the outcome of a check: the last `most` of it, which decide. */
  of({ evidence }: CheckResult, most: number): Exchange[] {
    return evidence.flatMap((seq) => this.#bySeq.get(seq) ?? []).slice(-most);
  }

  /** The same with what else was said about the tasks in it before, `most` exchanges at most. */
  conversation(check: CheckResult, most: number): Exchange[] {
    const shown = this.of(check, most);
    const last = Math.max(...shown.map(({ seq }) => seq));
    const seqs = new Set(shown.map(({ seq }) => seq));
    const around = [...new Set(shown.flatMap((each) => this.#taskOf.get(each) ?? []))]
      .flatMap((task) => this.#byTask.get(task) ?? [])
      .filter(({ seq }) => seq < last && !seqs.has(seq))
      .sort((one, other) => one.seq - other.seq);
    const room = most - shown.length;
    return [...(room > 0 ? around.slice(-room) : []), ...shown].sort((one, other) => one.seq - other.seq);
  }
}

/** The task that an exchange is about, by its address; of a creation by the id in the answer. */
function taskOf({ task, kind, request, response }: Exchange): string | undefined {
  if (task !== undefined) return task;
  const named = /\/task\/([^/?#]+)/.exec(request.url)?.[1];
  if (named !== undefined) return named;
  if (kind !== 'create') return undefined;
  return /"id"\s*:\s*"([^"\\]+)"/.exec(response?.body ?? '')?.[1];
}

/** What the run tells about one requirement of the side that was judged. */
export interface RequirementCoverage {
  requirement: Requirement;
  outcomes: Summary;
  state: 'failed' | 'passed' | 'untested';
  /** Why it was not tested. */
  why?: string;
}

/** Every `must` of the side that was judged, and every other that some check decides. */
export function coverageOf(report: ConformReport): RequirementCoverage[] {
  const judged = report.target.client === undefined ? 'service' : 'client';
  const why = new Map(report.requirements.untested.map((each) => [each.id, each.why]));
  const outcomes = new Map<string, Summary>();
  const none = (): Summary => ({ passed: 0, failed: 0, inconclusive: 0, skipped: 0 });
  for (const { covers, outcome } of report.checks) {
    for (const id of covers) {
      const counts = outcomes.get(id) ?? none();
      counts[outcome] = (counts[outcome] ?? 0) + 1;
      outcomes.set(id, counts);
    }
  }
  return requirements
    .filter(({ id, side, level }) => (side === judged && level === 'must') || outcomes.has(id))
    .map((requirement) => {
      const counts = outcomes.get(requirement.id) ?? none();
      const state = counts.failed > 0 ? 'failed' : counts.passed > 0 ? 'passed' : 'untested';
      const reason = state === 'untested' ? why.get(requirement.id) : undefined;
      return { requirement, outcomes: counts, state, ...(reason === undefined ? {} : { why: reason }) };
    });
}

/** A choice that the target was seen to make. */
export interface Observed {
  id: string;
  choice: string;
  question: string;
  /** What the choice means. */
  meaning: string;
  /** The mock does the same unless told otherwise. */
  usual: boolean;
}

export function dialectOf({ dialect }: ConformReport): Observed[] {
  return Object.entries(dialect).map(([id, chosen]) => {
    const point = points.get(id);
    const choice = oneLine(String(chosen));
    const choices = point?.kind === 'choice' ? point.choices : {};
    const meaning = Object.hasOwn(choices, choice) ? choices[choice]! : '';
    const unit = point?.kind === 'number' ? ` ${point.choices.unit}` : '';
    return {
      id,
      choice: choice + unit,
      question: point?.question ?? '',
      meaning,
      usual: String(point?.default) === choice,
    };
  });
}

/** Suites in the order of the report. */
export function suitesOf({ checks }: ConformReport): string[] {
  return [...new Set(checks.map(({ suite }) => suite))];
}

/** Values with how often they are there, the most frequent first. */
export function tally<T>(items: readonly T[], key: (item: T) => string): { key: string; items: T[] }[] {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(key(item), [...(groups.get(key(item)) ?? []), item]);
  return [...groups]
    .map(([name, found]) => ({ key: name, items: found }))
    .sort((one, other) => other.items.length - one.items.length);
}
