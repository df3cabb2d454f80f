import { SUITES } from '../../../scenarios/format/library/folders.js';
import { type RequirementId, requirements } from '../../../spec/generated/documents.js';
import type { OperationId } from '../../../spec/generated/operations.js';
import type { Severity, Side } from '../../../spec/requirement-types.js';
import type { Exchange } from '../../../spec/vocabulary.js';
import type { Cause, Situation } from '../../causes/cause.js';
import type { Suite } from '../test-case/test-case.js';
import type { Presence } from './presence.js';

/**
 * `flaky`: it failed, and passed when it was tried again. `error`: taskdouble itself failed in the check, so that it says nothing
 * about the target.
 */
export const OUTCOMES = ['passed', 'failed', 'flaky', 'error', 'inconclusive', 'skipped'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** How many checks came to each outcome; `flaky` and `error` are present only where there is one. */
export type Summary = Record<Exclude<Outcome, 'flaky' | 'error'>, number> & {
  flaky?: number;
  error?: number;
};

/** Of several results of one check, the outcome that counts has the lowest rank. */
const RANKS: Readonly<Record<Outcome, number>> = {
  failed: 0,
  error: 1,
  flaky: 2,
  passed: 3,
  inconclusive: 4,
  skipped: 5,
};

/** The first of several results of one check that has the outcome that counts. */
export function findDecisive(results: readonly CheckResult[]): CheckResult {
  return results.reduce((one, other) => (RANKS[other.outcome] < RANKS[one.outcome] ? other : one));
}

/**
 * What checks are grouped by. Beside the suites of a service, for clients: `races`, `own` (scenarios that do not belong to the
 * library) and `unknown-scenario` (a client is asked for a scenario that does not exist). Of recorded exchanges: the sides.
 */
export type CheckSuite = Suite | 'search' | 'races' | 'own' | 'unknown-scenario' | Side;

/** `polling` of `polling/one-shot`: a test case or a scenario of the library is in the suite of its folder. */
export function readSuite(name: string): CheckSuite {
  return ([...SUITES, 'search', 'races'] as const).find((suite) => name.startsWith(`${suite}/`)) ?? 'own';
}

export interface CheckResult {
  /** `polling/one-shot#POLL-02`: the case, and the requirement, rule or kind of evidence that it is about. */
  id: string;
  /** The test case or scenario. */
  case: string;
  suite: CheckSuite;
  title: string;
  covers: RequirementId[];
  /** Who is judged, where both sides are. */
  side?: Side;
  /** Of a failure that a rule about exchanges found: its id. */
  rule?: string;
  outcome: Outcome;
  /** Of a failure: where, what was expected, what came. Of others: why, or what showed it. */
  message: string;
  /** `seq` of the exchanges that show it. */
  evidence: number[];
  /** `seq` of later exchanges of a test case that break the same again. */
  again_in?: number[];
  /** The line to type to see it again, where a request alone does not show it. */
  again?: string;
  /** Of a client that gave up, hung or died: where it was. */
  situation?: Situation;
  /** The harm that was seen, where it is not that of the rule. */
  severity?: Severity;
  /** Of a flaky check: how often its test case, its scenario or its failed requests were tried again. */
  retries?: number;
  /** Of a generated conversation: message and exchanges are those of the smallest one that shows it. */
  shrunk?: true;
  /** A failure that the baseline has as known: it is listed, and does not fail the run. */
  known?: { reason: string; expires: string };
}

/** What is only recommended, or left to a client, and would be better otherwise: it is told, and fails nothing. */
export interface Advice {
  /** `polling/one-shot#CLIENT-03`, as a failed check would be named. */
  id: string;
  /** Absent where none was played. */
  scenario?: string;
  rule: string;
  message: string;
  evidence: number[];
}

/** How far a search for races went. */
export interface RaceSearchResult {
  /** The bound that was covered, in words. */
  statement: string;
  /** Schedules that were run; of these those that were new, and those in which a deviation was not triggered. */
  schedules: number;
  distinct: number;
  not_triggered: number;
  /** Schedules that were run a second time, and those of them that differed from the first, in words. */
  repeated: number;
  nondeterministic: string[];
  /** Why the first of them differed, most likely. */
  likely_source?: string;
  shard?: { part: number; of: number };
  /** Of a shard: what `merge-reports` needs. */
  state?: object;
}

/** How far a search with generated sequences of requests went. */
export interface SequenceSearchResult {
  sequences: number;
  requests: number;
  /** Operations in each state of what they name, under each condition: those that were sent, of those that could be drawn. */
  coverage: { cells: number; of: number };
  /** Where the service differs from its model and no stated requirement decides: candidates for open points. */
  observations: {
    operation: OperationId;
    condition: string;
    about: string;
    expected: string;
    actual: string;
    seen: number;
  }[];
  /** Why it ended early. */
  stopped?: string;
}

/** A failure that a search for races found. Failures of one defect share their cause. */
export interface FoundFailure {
  /** Id of the check, and of the cause. */
  id: string;
  cause: string;
  rule: string;
  scenarios: string[];
  /** The necessary ones, in words. */
  deviations: string[];
  /** The first schedule that showed it, from 1, real seconds until then, and in how many it was seen. */
  schedule: number;
  seconds: number;
  seen: number;
  /** The scenario that reproduces it. */
  file: string;
  /** The run that showed it, in lines. */
  timeline: string[];
  /** The shard that found it, in merged reports: `schedule` and `seconds` are its own. */
  shard?: { part: number; of: number };
}

/** What was judged. */
export interface JudgedTarget {
  /** Of the service; of a client that of the mock it was given, where there was only one. */
  base_url: string;
  /** The client that was judged: its command, or the name of its function. Absent where a service was. */
  client?: string;
  /** Whose time its runs took. */
  time?: RunTimeLabel;
}

/** How clients are run, in words. */
export const RUN_TIME_LABELS = ['real', 'virtual (in process)', 'virtual (Node.js)'] as const;
export type RunTimeLabel = (typeof RUN_TIME_LABELS)[number];

/** How a client of this kind is run. */
export function describeRunTime(kind: 'function' | 'node' | 'command'): RunTimeLabel {
  if (kind === 'function') return 'virtual (in process)';
  return kind === 'node' ? 'virtual (Node.js)' : 'real';
}

/** A run of the suite against one target. The JSON report, section "conform" of the contract. */
export interface ConformReport {
  taskdouble: string;
  target: JudgedTarget;
  seed: number;
  /** ISO 8601. */
  started: string;
  duration_ms: number;
  summary: Summary;
  checks: CheckResult[];
  /** Of the failed checks, what explains most first. */
  causes: Cause[];
  /** About clients only. */
  advice?: Advice[];
  /** Of a search only. */
  searched?: RaceSearchResult;
  failures?: FoundFailure[];
  /** Of a search with generated sequences only. */
  sequences?: SequenceSearchResult;
  /** Of recordings only: what cannot be judged, and why, in words. */
  gaps?: string[];
  exchanges: Exchange[];
  /** Choices observed, by the id of the open point. */
  dialect: Record<string, string | number>;
  /** What the target needs of requests beyond what the API states, in sentences; absent where it needs nothing. */
  needs?: string[];
  /** Of a service that does not have all of them: how many there are, those missing, and the names for `lacks`. */
  operations?: Presence & { lacks: string[] };
  requirements: { total: number; tested: number; untested: { id: string; why: string }[] };
  /** Exchanges with a body that was shortened, to bound the memory of the run; absent when there is none. */
  shortened?: number;
  /** Why the run ended early; absent when it did not. */
  stopped?: string;
  /** Present where a baseline was applied. `problems`: entries that are stale or fit no failure; each fails the run. */
  baseline?: { file: string; known: number; problems: string[] };
}

/** What happens while a suite runs, for those who show it. */
export type ConformEvent =
  | { type: 'start'; baseUrl: string; seed: number; checks: number; tasks: number }
  | { type: 'case'; case: string; running: boolean }
  | {
      type: 'check';
      check: CheckResult;
      done: number;
      /** Rules that are broken in cases that are not about them add checks to it. */
      total: number;
      /** Since the start, ms. */
      elapsedMs: number;
      /** The target has answered 429, and the run sends more slowly. */
      isSlowed?: boolean;
    }
  /** A generated conversation that breaks a rule, shrunk: the name and the texts of its files. */
  | { type: 'failure'; name: string; yaml: string; markdown: string }
  | { type: 'note'; text: string }
  | { type: 'end'; report: ConformReport };

export function summarizeChecks(checks: readonly CheckResult[]): Summary {
  const summary: Summary = { passed: 0, failed: 0, inconclusive: 0, skipped: 0 };
  for (const { outcome } of checks) summary[outcome] = (summary[outcome] ?? 0) + 1;
  return summary;
}

/** Outcomes that say something about the target. */
export const DECIDED: readonly Outcome[] = ['passed', 'failed', 'flaky'];

/**
 * Which of the rules about one side were put to the test. `whyNot` says why one was not. Of a partial run, only the rules that
 * its checks are about count.
 */
export function measureCoverage(
  side: Side,
  checks: readonly CheckResult[],
  whyNot: (requirement: { id: string; unobservable?: string }) => string,
  { isPartial = false } = {},
): ConformReport['requirements'] {
  const selected = new Set<string>(checks.flatMap(({ covers }) => covers));
  const rules = requirements.filter(
    ({ id, side: its, level }) => its === side && level === 'must' && (!isPartial || selected.has(id)),
  );
  const decided = new Set(
    checks.filter(({ outcome }) => DECIDED.includes(outcome)).flatMap(({ covers }) => covers),
  );
  const untested = rules
    .filter(({ id }) => !decided.has(id as RequirementId))
    .map((each) => ({ id: each.id, why: whyNot(each) }));
  return { total: rules.length, tested: rules.length - untested.length, untested };
}
