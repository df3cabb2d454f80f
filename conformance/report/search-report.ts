import type { RequirementId } from '../../spec/generated/documents.js';
import type { Finding } from '../../spec/vocabulary.js';
import { type Advice, type Cause, type CheckResult, readSuite } from '../causes/check-result.js';
import { formatSubject } from '../client/judge/findings.js';

import { formatCount, formatTime } from '../common/text.js';
import { assignCheckIds, listFailures } from '../explore/causes/causes.js';
import { formatTitle } from '../explore/causes/titles.js';
import { describeDeviation } from '../explore/schedule/schedule.js';
import { isBarelyTriggered } from '../explore/search/coverage.js';
import type { ExploreReport, Failure, Replay } from '../explore/types.js';
import {
  type ConformReport,
  createReport,
  describeRunTime,
  type FoundFailure,
} from '../service/runner/result.js';
import { createShardState } from './merge/merge-shards.js';

/** Data of a search report that the search itself does not have. */
interface SearchContext {
  /** The command of the client, or the name of its function. */
  client: string;
  started: Date;
  /** The command that reproduces a failure, and its file. */
  again: (failure: Failure) => string;
  file: (failure: Failure) => string;
  /** Lists every failure, not only one per defect. */
  all?: boolean | undefined;
  /** Why the search ended before its budget was used. */
  stopped?: string | undefined;
}

/**
 * The report of a search for races: one check per defect, and one per scenario without a defect. With `all`, one check per
 * failure.
 */
export function createSearchReport(explored: ExploreReport, context: SearchContext): ConformReport {
  const { advice, known, progress, statement, repeated, nondeterministic, shard } = explored;
  const ids = assignCheckIds(explored.failures);
  const entries = explored.causes.flatMap((cause) => {
    const group = listFailures(cause, explored.failures);
    const sighting = mergeSightings(group);
    return (context.all ? group : group.slice(0, 1)).map((failure) => ({ cause, group, sighting, failure }));
  });
  const failed = entries.map(({ group, sighting, failure }) => ({
    ...createFailedCheck(failure.scenario, {
      ...failure,
      message: describeFailure(failure, group, sighting),
    }),
    id: ids.get(failure)!,
    title: formatTitle(failure),
    again: context.again(failure),
  }));
  const shownIds = new Set(failed.map(({ id }) => id));
  const causes = explored.causes.map((cause): Cause => {
    const checks = cause.checks.filter((id) => shownIds.has(id));
    return { ...cause, explains: checks.length, checks };
  });
  const knownChecks = known.map(({ key, seen }) =>
    createCheck('*', key, {
      title: 'A known failure.',
      outcome: 'failed',
      message: `known, so not reported again; seen in ${formatCount(seen, 'schedule')}`,
    }),
  );
  const ofScenarios = explored.scenarios.flatMap((name) => createScenarioChecks(name, explored));
  const { notTriggered: not_triggered, schedules, distinct } = progress;
  const stopped = explored.untestable ?? context.stopped;
  // Failures of one run share its exchanges.
  const shown = shard ? explored.failures : entries.map(({ failure }) => failure);
  const runs = new Set([...shown, ...advice].map((each) => each.exchanges));
  const exchanges = [...runs].flat().sort((one, other) => one.seq - other.seq);
  const report = createReport({
    ...describeRun(context, explored),
    duration_ms: Math.round(explored.durationMs),
    checks: [...failed, ...ofScenarios, ...knownChecks],
    exchanges,
    ...(stopped === undefined ? {} : { stopped }),
  });
  const ofKnown = report.causes.filter(({ checks }) => !checks.some((id) => shownIds.has(id)));
  return {
    ...report,
    causes: [...causes, ...ofKnown],
    advice: advice.map((each) => createAdvice(each.scenario, { ...each, message: describeFailure(each) })),
    searched: {
      statement,
      schedules,
      distinct,
      not_triggered,
      repeated,
      nondeterministic: nondeterministic.map(({ schedule, difference }) => `${schedule}: ${difference}`),
      ...(nondeterministic[0] ? { likely_source: nondeterministic[0].source } : {}),
      ...(shard ? { shard, state: createShardState(explored, context) } : {}),
    },
    failures: entries.map(({ cause, sighting, failure }, index): FoundFailure => {
      const { rule, deviations, timeline } = failure;
      const { scenarios, schedule, foundAtMs, seen } = context.all ? failure : sighting;
      return {
        id: failed[index]!.id,
        cause: cause.id,
        rule,
        scenarios,
        deviations: deviations.map(describeDeviation),
        schedule,
        seconds: Math.round(foundAtMs / 10) / 100,
        seen,
        file: context.file(failure),
        timeline,
        ...(failure.origin ? { shard: failure.origin.shard } : {}),
      };
    }),
  };
}

type Sighting = Pick<Failure, 'scenarios' | 'schedule' | 'foundAtMs' | 'seen'>;

function mergeSightings(failures: readonly Failure[]): Sighting {
  const { schedule, foundAtMs } = failures.reduce((one, other) =>
    other.schedule < one.schedule ? other : one,
  );
  return {
    scenarios: [...new Set(failures.flatMap(({ scenarios }) => scenarios))],
    schedule,
    foundAtMs,
    seen: Math.max(...failures.map(({ seen }) => seen)),
  };
}

/** The report of a replayed race file. */
export function createReplayReport(
  { findings, run, shown, expected, notTriggered }: Replay,
  context: Pick<SearchContext, 'client' | 'started'>,
): ConformReport {
  const { name } = run.scenario;
  const failed = findings
    .filter(({ level }) => level === 'must')
    .map((each) => createFailedCheck(name, each));
  const missed = notTriggered.map((id) =>
    createCheck(name, id, {
      outcome: 'inconclusive',
      message: `the deviation ${id} was not triggered, so this run shows nothing`,
    }),
  );
  const checks = [...failed, ...missed];
  if (checks.length === 0) {
    // The file may show advice only.
    const what =
      expected === undefined
        ? ''
        : `${shown ? 'showed' : 'did not show'} what its file says (${expected}), and `;
    checks.push(createCheck(name, 'replay', { outcome: 'passed', message: `it ${what}broke no rule` }));
  }
  return createReport({
    ...describeRun(context, { time: describeRunTime(run.kind), adapter: run.adapter, seed: run.seed }),
    duration_ms: Date.now() - context.started.getTime(),
    checks,
    advice: findings.filter(({ level }) => level === 'advice').map((each) => createAdvice(name, each)),
    exchanges: run.exchanges,
  });
}

/** Schedules are not chosen for a coverage of requirements. */
function describeRun(
  { client, started }: Pick<SearchContext, 'client' | 'started'>,
  { time, adapter, seed }: Pick<ExploreReport, 'time' | 'adapter' | 'seed'>,
) {
  const requirements = { total: 0, tested: 0, untested: [] };
  const target = { base_url: 'http://127.0.0.1', client, time, ...(adapter !== undefined && { adapter }) };
  return { target, seed, started, requirements };
}

/** The check of a scenario without a defect: it passes if at least one schedule ran and none failed. */
function createScenarioChecks(name: string, explored: ExploreReport): CheckResult[] {
  const { untestable, failures, coverage, broken } = explored;
  // A defect lists the scenarios that showed it.
  if (untestable !== undefined || failures.some(({ scenarios }) => scenarios.includes(name))) return [];
  const levels = coverage.filter(({ scenario, run }) => scenario === name && run > 0);
  const runs = levels.reduce((sum, { run }) => sum + run, 0);
  const title = 'No explored schedule breaks a rule.';
  const failing = broken.find(({ scenario }) => scenario === name);
  if (failing) {
    const keys = failing.keys.map((key) => `${key} (known)`);
    const message = `${failing.runs} of ${formatCount(runs, 'schedule')} broke rules: ${keys.join(', ')}`;
    return [createCheck(name, 'explored', { title, outcome: 'inconclusive', message })];
  }
  const deviating = levels.filter(({ deviations }) => deviations > 0);
  const sumLevels = (key: 'run' | 'notTriggered') => deviating.reduce((all, each) => all + each[key], 0);
  if (isBarelyTriggered(sumLevels('run'), sumLevels('notTriggered'))) {
    const message = `in ${sumLevels('notTriggered')} of ${sumLevels('run')} schedules with deviations the client did not send the changed requests`;
    return [createCheck(name, 'explored', { title, outcome: 'inconclusive', message })];
  }
  if (runs === 0)
    return [
      createCheck(name, 'explored', { title, outcome: 'skipped', message: 'the search ended before it' }),
    ];
  const parts = levels.map(({ run, of, deviations }) => `${run} of ${of} with ${deviations}`);
  const message = `no schedule breaks a rule; by number of deviations: ${parts.join(', ')}`;
  return [createCheck(name, 'explored', { title, outcome: 'passed', message })];
}

function createFailedCheck(scenario: string, finding: Finding): CheckResult {
  const { rule, message, evidence, requirement } = finding;
  const covers = [requirement as RequirementId];
  return createCheck(scenario, formatSubject(finding), {
    rule,
    covers,
    outcome: 'failed',
    message,
    evidence,
  });
}

function createCheck(
  scenario: string,
  key: string,
  result: Pick<CheckResult, 'outcome' | 'message'> & Partial<CheckResult>,
): CheckResult {
  return {
    id: `${scenario}#${key}`,
    case: scenario,
    suite: readSuite(scenario),
    title: key,
    covers: [],
    evidence: [],
    ...result,
  };
}

function createAdvice(scenario: string, finding: Finding): Advice {
  const { rule, message, evidence } = finding;
  return { id: `${scenario}#${formatSubject(finding)}`, scenario, rule, message, evidence };
}

/** The message, the deviations of the failure, and when and how often it was found. */
function describeFailure(
  { message, deviations, ...failure }: Failure,
  group: readonly Failure[] = [],
  { seen, schedule, foundAtMs, scenarios }: Sighting = failure,
): string {
  const changes =
    deviations.length === 0
      ? 'It takes no deviation'
      : `Deviations: ${deviations.map(describeDeviation).join('; ')}`;
  const others = scenarios.filter((each) => each !== failure.scenario);
  const where = others.length === 0 ? '' : `, also in ${others.join(', ')}`;
  const chance = failure.isNondeterministic ? ', not every time' : '';
  const { shard } = failure.origin ?? {};
  const part = shard ? ` of shard ${shard.part}/${shard.of}` : '';
  const found = `found in schedule ${schedule}${part} after ${formatTime(foundAtMs)}, seen in ${formatCount(seen, 'schedule')}${chance}${where}`;
  const rules = new Set(group.map(({ rule }) => rule));
  rules.delete(failure.rule);
  const more = rules.size === 0 ? '' : `\nIt also breaks ${[...rules].join(', ')}.`;
  return `${message}\n${changes} (${found}).${more}`;
}
