import type { Exchange } from '../../../spec/vocabulary.js';
import { describeDeviation } from '../../explore/schedule/schedule.js';
import type { ExploreReport, Find, Replay } from '../../explore/types.js';
import {
  type Advice,
  type CheckResult,
  type ConformReport,
  suiteOf,
  summaryOf,
  type TimeOfRuns,
} from '../../service/runner/result.js';
import { VERSION } from '../../version.js';
import { count } from '../text.js';

/** What a search does not know of itself. */
export interface Search {
  /** The client's command, or the name of its function. */
  client: string;
  started: Date;
  /** The line to type to see a find again. */
  again: (find: Find) => string;
  /** Why it ended before its budget did. */
  stopped?: string | undefined;
}

/** A search for races in the form of every other report: a check for each scenario, and one for each find. */
export function searchReport(explored: ExploreReport, search: Search): ConformReport {
  const exchanges: Exchange[] = [...explored.finds, ...explored.advice].flatMap((find) => find.exchanges);
  exchanges.sort((one, other) => one.seq - other.seq);
  const failed = explored.finds.map((find): CheckResult => {
    return {
      ...checkOf(find.scenario, find.bucket.key),
      outcome: 'failed',
      message: find.message + inWords(find),
      evidence: find.evidence,
      again: search.again(find),
    };
  });
  const advice = explored.advice.map(
    (find): Advice => ({
      id: `${find.scenario}#${keyOf(find.bucket.rule, find.bucket.about)}`,
      scenario: find.scenario,
      rule: find.bucket.rule,
      message: find.message + inWords(find),
      evidence: find.evidence,
    }),
  );
  const passedOver = explored.known.map(
    ({ key, seen }): CheckResult => ({
      ...checkOf('*', key),
      title: 'A failure that is known.',
      outcome: 'failed',
      message: `passed over, as it is known; seen in ${count(seen, 'schedule')}`,
      evidence: [],
    }),
  );
  const ofScenarios = explored.scenarios.flatMap((name) => scenarioCheck(name, explored));
  const checks = [...failed, ...ofScenarios, ...passedOver];
  const { progress, statement, repeated, unsteady, shard } = explored;
  return {
    taskdouble: VERSION,
    target: { base_url: 'http://127.0.0.1', client: search.client, time: explored.time },
    seed: explored.seed,
    started: search.started.toISOString(),
    duration_ms: Math.round(explored.durationMs),
    summary: summaryOf(checks),
    checks,
    advice,
    searched: {
      statement,
      schedules: progress.schedules,
      distinct: progress.distinct,
      unrealised: progress.unrealised,
      repeated,
      unsteady: unsteady.map(({ schedule, difference }) => `${schedule}: ${difference}`),
      ...(shard ? { shard } : {}),
    },
    exchanges,
    dialect: {},
    requirements: { total: 0, tested: 0, untested: [] },
    ...stoppedOf(explored.untestable ?? search.stopped),
  };
}

/** A file that was run once more, in the same form. */
export function replayReport(
  { failed, run, shown, expected, unrealised }: Replay,
  search: Pick<Search, 'client' | 'started'>,
): ConformReport {
  const { name } = run.scenario;
  const found = failed.filter(({ level }) => level === 'must');
  const checks = found.map(
    ({ rule, about, message, evidence }): CheckResult => ({
      ...checkOf(name, keyOf(rule, about)),
      outcome: 'failed',
      message,
      evidence,
    }),
  );
  const missed = unrealised.map(
    (id): CheckResult => ({
      ...checkOf(name, id),
      outcome: 'inconclusive',
      message: `the deviation ${id} did not come about, so this run shows nothing`,
      evidence: [],
    }),
  );
  const message =
    expected === undefined
      ? 'it broke no rule'
      : `it did not show what its file says (${expected}), and broke no rule`;
  if (found.length === 0 && missed.length === 0 && !shown)
    checks.push({ ...checkOf(name, 'replay'), outcome: 'passed', message, evidence: [] });
  const all = [...checks, ...missed];
  return {
    taskdouble: VERSION,
    target: { base_url: 'http://127.0.0.1', client: search.client, time: timeOf(run.kind) },
    seed: run.seed,
    started: search.started.toISOString(),
    duration_ms: Date.now() - search.started.getTime(),
    summary: summaryOf(all),
    checks: all,
    advice: failed
      .filter(({ level }) => level === 'advice')
      .map(({ rule, about, message: said, evidence }) => ({
        id: `${name}#${keyOf(rule, about)}`,
        scenario: name,
        rule,
        message: said,
        evidence,
      })),
    exchanges: run.exchanges,
    dialect: {},
    requirements: { total: 0, tested: 0, untested: [] },
  };
}

/**
 * One check for a scenario in which nothing was found first: it passed where something was run and nothing failed. A
 * failure that another scenario showed before is one here as well.
 */
function scenarioCheck(name: string, explored: ExploreReport): CheckResult[] {
  if (explored.untestable !== undefined || explored.finds.some(({ scenario }) => scenario === name))
    return [];
  const levels = explored.coverage.filter(({ scenario }) => scenario === name);
  const runs = levels.reduce((sum, { run }) => sum + run, 0);
  const told = levels
    .filter(({ run }) => run > 0)
    .map(({ deviations, run, of }) => `${run} of ${Math.max(run, of)} with ${deviations}`);
  const broken = explored.broken.find(({ scenario }) => scenario === name);
  if (broken) return [brokenCheck(broken, runs, explored)];
  return [
    {
      ...checkOf(name, 'explored'),
      outcome: runs > 0 ? 'passed' : 'skipped',
      message:
        runs > 0
          ? `no schedule breaks a rule; by number of deviations: ${told.join(', ')}`
          : 'the search ended before it',
      evidence: [],
    },
  ];
}

/** Of a scenario whose failures were found elsewhere, or are known. */
function brokenCheck(
  { scenario, runs, keys }: ExploreReport['broken'][number],
  of: number,
  { finds }: ExploreReport,
): CheckResult {
  const said = keys.map((key) => {
    const elsewhere = finds.find(({ bucket }) => bucket.key === key);
    return elsewhere ? `${key} (see ${elsewhere.scenario})` : `${key} (known)`;
  });
  const isNew = keys.some((key) => finds.some(({ bucket }) => bucket.key === key));
  return {
    ...checkOf(scenario, 'explored'),
    outcome: isNew ? 'failed' : 'inconclusive',
    message: `${runs} of ${count(of, 'schedule')} broke rules: ${said.join(', ')}`,
    evidence: [],
  };
}

function checkOf(scenario: string, key: string) {
  return {
    id: `${scenario}#${key}`,
    case: scenario,
    suite: suiteOf(scenario),
    title:
      key === 'explored' ? 'No order of things breaks a rule.' : 'It holds whatever the order of things.',
    covers: [],
  };
}

function keyOf(rule: string, about: string | undefined): string {
  return about === undefined ? rule : `${rule} ${about}`;
}

/** What went otherwise, and how often it came. */
function inWords({ deviations, seen, unsteady }: Find): string {
  const otherwise =
    deviations.length === 0
      ? 'Nothing has to go otherwise for it'
      : `What goes otherwise: ${deviations.map(describeDeviation).join('; ')}`;
  const often = `seen in ${count(seen, 'schedule')}`;
  return `\n${otherwise} (${often}${unsteady ? ', not every time' : ''}).`;
}

function stoppedOf(why: string | undefined): { stopped?: string } {
  return why === undefined ? {} : { stopped: why };
}

function timeOf(kind: Replay['run']['kind']): TimeOfRuns {
  if (kind === 'function') return 'virtual (in process)';
  return kind === 'node' ? 'virtual (Node.js)' : 'real';
}
