import type { RequirementId } from '../../spec/generated/documents.js';
import type { Exchange } from '../../spec/vocabulary.js';
import type { RunFinding } from '../client/judge/run-rules.js';
import { describeDeviation } from '../explore/schedule/schedule.js';
import type { ExploreReport, Failure, Replay } from '../explore/types.js';
import {
  type Advice,
  type CheckResult,
  type ConformReport,
  suiteOf,
  summaryOf,
  timeOf,
} from '../service/runner/result.js';
import { VERSION } from '../version.js';
import { causesOf } from './causes.js';
import { count } from './text.js';

/** What a search does not know of itself. */
export interface SearchContext {
  /** The client's command, or the name of its function. */
  client: string;
  started: Date;
  /** The line to type to see a failure again. */
  again: (failure: Failure) => string;
  /** Why it ended before its budget did. */
  stopped?: string | undefined;
}

type Shown = Pick<RunFinding, 'rule' | 'about' | 'message' | 'evidence' | 'requirement'>;

/** A search for races in the form of every other report: a check for each failure, and one for each scenario without. */
export function searchReport(explored: ExploreReport, context: SearchContext): ConformReport {
  const { failures, advice, known, progress, statement, repeated, nondeterministic, shard } = explored;
  const failed = failures.map((failure) => ({
    ...failedCheck(failure.scenario, { ...failure, message: describe(failure) }),
    again: context.again(failure),
  }));
  const passedOver = known.map(({ key, seen }) =>
    checkOf('*', key, {
      title: 'A failure that is known.',
      outcome: 'failed',
      message: `passed over, as it is known; seen in ${count(seen, 'schedule')}`,
    }),
  );
  const ofScenarios = explored.scenarios.flatMap((name) => scenarioCheck(name, explored));
  const { notTriggered: not_triggered, schedules, distinct } = progress;
  const stopped = explored.untestable ?? context.stopped;
  const exchanges = [...failures, ...advice].flatMap((each) => each.exchanges);
  return {
    ...clientReport(context, [...failed, ...ofScenarios, ...passedOver], exchanges),
    target: { base_url: 'http://127.0.0.1', client: context.client, time: explored.time },
    seed: explored.seed,
    duration_ms: Math.round(explored.durationMs),
    advice: advice.map((each) => adviceOf(each.scenario, { ...each, message: describe(each) })),
    searched: {
      statement,
      schedules,
      distinct,
      not_triggered,
      repeated,
      nondeterministic: nondeterministic.map(({ schedule, difference }) => `${schedule}: ${difference}`),
      ...(shard ? { shard } : {}),
    },
    exchanges: exchanges.sort((one, other) => one.seq - other.seq),
    ...(stopped === undefined ? {} : { stopped }),
  };
}

/** A file that was run once more, in the same form. */
export function replayReport(
  { findings, run, shown, expected, notTriggered }: Replay,
  context: Pick<SearchContext, 'client' | 'started'>,
): ConformReport {
  const { name } = run.scenario;
  const failed = findings.filter(({ level }) => level === 'must').map((each) => failedCheck(name, each));
  const missed = notTriggered.map((id) =>
    checkOf(name, id, {
      outcome: 'inconclusive',
      message: `the deviation ${id} was not triggered, so this run shows nothing`,
    }),
  );
  const checks = [...failed, ...missed];
  if (checks.length === 0 && !shown) {
    const what = expected === undefined ? '' : `did not show what its file says (${expected}), and `;
    checks.push(checkOf(name, 'replay', { outcome: 'passed', message: `it ${what}broke no rule` }));
  }
  return {
    ...clientReport(context, checks, run.exchanges),
    target: { base_url: 'http://127.0.0.1', client: context.client, time: timeOf(run.kind) },
    seed: run.seed,
    duration_ms: Date.now() - context.started.getTime(),
    advice: findings.filter(({ level }) => level === 'advice').map((each) => adviceOf(name, each)),
    exchanges: run.exchanges,
  };
}

function clientReport(
  { started }: Pick<SearchContext, 'started'>,
  checks: CheckResult[],
  exchanges: readonly Exchange[],
) {
  return {
    taskdouble: VERSION,
    started: started.toISOString(),
    summary: summaryOf(checks),
    checks,
    causes: causesOf(checks, exchanges),
    dialect: {},
    requirements: { total: 0, tested: 0, untested: [] },
  };
}

/**
 * One check for a scenario in which no failure was found first: it passed where something was run and nothing failed. It
 * failed where another scenario showed its failure before.
 */
function scenarioCheck(name: string, explored: ExploreReport): CheckResult[] {
  const { untestable, failures, coverage, broken } = explored;
  if (untestable !== undefined || failures.some(({ scenario }) => scenario === name)) return [];
  const levels = coverage.filter(({ scenario, run }) => scenario === name && run > 0);
  const runs = levels.reduce((sum, { run }) => sum + run, 0);
  const title = 'No explored schedule breaks a rule.';
  const failing = broken.find(({ scenario }) => scenario === name);
  if (failing) {
    const elsewhere = (key: string) => failures.find((failure) => failure.key === key)?.scenario;
    const keys = failing.keys.map((key) => {
      const scenario = elsewhere(key);
      return `${key} (${scenario === undefined ? 'known' : `see ${scenario}`})`;
    });
    const isNew = failing.keys.some((key) => elsewhere(key) !== undefined);
    // It belongs to the cause of that failure.
    const { rule, requirement } = failures.find(({ key }) => failing.keys.includes(key)) ?? {};
    const belongs = rule === undefined ? {} : { rule, covers: [requirement as RequirementId] };
    const message = `${failing.runs} of ${count(runs, 'schedule')} broke rules: ${keys.join(', ')}`;
    return [
      checkOf(name, 'explored', { title, outcome: isNew ? 'failed' : 'inconclusive', message, ...belongs }),
    ];
  }
  if (runs === 0)
    return [checkOf(name, 'explored', { title, outcome: 'skipped', message: 'the search ended before it' })];
  const parts = levels.map(({ run, of, deviations }) => `${run} of ${of} with ${deviations}`);
  const message = `no schedule breaks a rule; by number of deviations: ${parts.join(', ')}`;
  return [checkOf(name, 'explored', { title, outcome: 'passed', message })];
}

function failedCheck(scenario: string, finding: Shown): CheckResult {
  const { message, evidence, requirement } = finding;
  const { rule } = finding;
  const covers = [requirement as RequirementId];
  return checkOf(scenario, keyOf(finding), { rule, covers, outcome: 'failed', message, evidence });
}

function checkOf(
  scenario: string,
  key: string,
  result: Pick<CheckResult, 'outcome' | 'message'> & Partial<CheckResult>,
): CheckResult {
  return {
    id: `${scenario}#${key}`,
    case: scenario,
    suite: suiteOf(scenario),
    title: 'It holds in every order of events.',
    covers: [],
    evidence: [],
    ...result,
  };
}

function adviceOf(scenario: string, finding: Shown): Advice {
  const { rule, message, evidence } = finding;
  return { id: `${scenario}#${keyOf(finding)}`, scenario, rule, message, evidence };
}

function keyOf({ rule, about }: Shown): string {
  return about === undefined ? rule : `${rule} ${about}`;
}

/** The message with the deviations that it takes, and how often it came. */
function describe({ message, deviations, seen, isNondeterministic }: Failure): string {
  const changes =
    deviations.length === 0
      ? 'It takes no deviation'
      : `Deviations: ${deviations.map(describeDeviation).join('; ')}`;
  const often = `seen in ${count(seen, 'schedule')}${isNondeterministic ? ', not every time' : ''}`;
  return `${message}\n${changes} (${often}).`;
}
