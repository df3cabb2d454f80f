import { SUITES } from '../../../scenarios/format/library/folders.js';
import { type RequirementId, requirements } from '../../../spec/generated/documents.js';
import type { OperationId } from '../../../spec/generated/operations.js';
import type { Severity, Side } from '../../../spec/requirement-types.js';
import type { Exchange } from '../../../spec/vocabulary.js';
import type { Cause, Situation } from '../../causes/cause.js';
import type { PairFigures } from '../search/draw/pair-coverage.js';
import type { Suite } from '../test-case/test-case.js';
import type { Presence } from './presence.js';

/** `flaky`: failed, then passed on a retry. `error`: taskdouble itself failed in the check, so the target is not judged. */
export const OUTCOMES = ['passed', 'failed', 'flaky', 'error', 'inconclusive', 'skipped'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** Number of checks per outcome; `flaky` and `error` are present only if not zero. */
export type Summary = Record<Exclude<Outcome, 'flaky' | 'error'>, number> & {
  flaky?: number;
  error?: number;
};

/** Of several results of one check, the outcome with the lowest rank counts. */
const RANKS: Readonly<Record<Outcome, number>> = {
  failed: 0,
  error: 1,
  flaky: 2,
  passed: 3,
  inconclusive: 4,
  skipped: 5,
};

/** The first result with the outcome that counts. */
export function findDecisive(results: readonly CheckResult[]): CheckResult {
  return results.reduce((one, other) => (RANKS[other.outcome] < RANKS[one.outcome] ? other : one));
}

/**
 * Groups of checks. In addition to the suites of a service, for clients: `races`, `own` (scenarios outside the library) and
 * `unknown-scenario` (the client gets a scenario that does not exist). For recorded exchanges: the sides.
 */
export type CheckSuite = Suite | 'search' | 'races' | 'own' | 'unknown-scenario' | Side;

/** `polling` for `polling/one-shot`: test cases and library scenarios belong to the suite of their folder. */
export function readSuite(name: string): CheckSuite {
  return ([...SUITES, 'search', 'races'] as const).find((suite) => name.startsWith(`${suite}/`)) ?? 'own';
}

export interface CheckResult {
  /** `polling/one-shot#POLL-02`: the case, and the requirement, rule or kind of evidence. */
  id: string;
  /** The test case or scenario. */
  case: string;
  suite: CheckSuite;
  title: string;
  covers: RequirementId[];
  /** The side under test, for recordings of both sides. */
  side?: Side;
  /** The rule that found a failure. */
  rule?: string;
  outcome: Outcome;
  /** For a failure: place, expected and actual. For others: the reason or the evidence. */
  message: string;
  /** `seq` of the exchanges that show it. */
  evidence: number[];
  /** `seq` of later exchanges of the test case with the same failure. */
  again_in?: number[];
  /** The command line that reproduces it, if a request alone does not. */
  again?: string;
  /** State of a client that gave up, hung or crashed. */
  situation?: Situation;
  /** The observed severity, if it differs from that of the rule. */
  severity?: Severity;
  /** For a flaky check: number of retries of its test case, scenario or failed requests. */
  retries?: number;
  /** Generated conversation: message and exchanges belong to the minimized one. */
  shrunk?: true;
  /** A known failure from the baseline: it is listed and does not fail the run. */
  known?: { reason: string; expires: string };
}

/** A broken recommendation, or an improvement that is up to the client: reported, never a failure. */
export interface Advice {
  /** `polling/one-shot#CLIENT-03`, the id of a failed check for it. */
  id: string;
  /** Absent if no scenario was played. */
  scenario?: string;
  rule: string;
  message: string;
  evidence: number[];
}

/** The extent of a search for races. */
export interface RaceSearchResult {
  /** A sentence about the bound that was covered. */
  statement: string;
  /** Schedules run; how many of them were new, and in how many a deviation was not triggered. */
  schedules: number;
  distinct: number;
  not_triggered: number;
  /** Schedules run twice, and descriptions of those with different results. */
  repeated: number;
  nondeterministic: string[];
  /** The most likely reason for the first difference. */
  likely_source?: string;
  shard?: { part: number; of: number };
  /** For a shard: input for `merge-reports`. */
  state?: object;
}

/** The extent of a search with generated sequences of requests. */
export interface SequenceSearchResult {
  sequences: number;
  requests: number;
  /** Combinations of operation, resource state and condition: those sent (`cells`) of those possible (`of`), and pairs. */
  coverage: { cells: number; of: number } & PairFigures;
  /** Differences between the service and its model that no stated requirement decides: candidates for open points. */
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
  /** Descriptions of the necessary deviations. */
  deviations: string[];
  /** The first schedule that showed it, from 1; real seconds until then; number of schedules that showed it. */
  schedule: number;
  seconds: number;
  seen: number;
  /** The scenario that reproduces it. */
  file: string;
  /** The run that showed it, as lines. */
  timeline: string[];
  /** The shard that found it, in merged reports: `schedule` and `seconds` are relative to the shard. */
  shard?: { part: number; of: number };
}

interface JudgedTarget {
  /** Address of the service; for a client, address of the mock if there was only one. */
  base_url: string;
  /** The client under test: its command or function name. Absent for a service. */
  client?: string;
  /** The clock of its runs. */
  time?: RunTimeLabel;
  /** The persistent adapter of the client, and what its jobs share. */
  adapter?: string;
}

/** Ways to run a client. */
export type RunTimeLabel = 'real' | 'virtual (in process)' | 'virtual (Node.js)' | 'virtual (adapter)';

/** The label for a client of this kind. */
export function describeRunTime(kind: keyof typeof TIME_LABELS): RunTimeLabel {
  return TIME_LABELS[kind];
}

/** `virtual (python, a forked process for each job)`. */
export function formatRunTime(time: RunTimeLabel, adapter: string | undefined): string {
  return adapter === undefined ? time : `${time.split(' ')[0]} (${adapter})`;
}

const TIME_LABELS = {
  function: 'virtual (in process)',
  node: 'virtual (Node.js)',
  adapter: 'virtual (adapter)',
  command: 'real',
} as const;

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
  /** Causes of the failed checks; the one that explains most comes first. */
  causes: Cause[];
  /** Clients only. */
  advice?: Advice[];
  /** Searches for races only. */
  searched?: RaceSearchResult;
  failures?: FoundFailure[];
  /** Searches with generated sequences only. */
  sequences?: SequenceSearchResult;
  /** Recordings only: what cannot be judged, and why, as sentences. */
  gaps?: string[];
  exchanges: Exchange[];
  /** Observed choices, by the id of the open point. */
  dialect: Record<string, string | number>;
  /** What the target needs in requests beyond the API description, as sentences; absent if nothing. */
  needs?: string[];
  /** For a service with missing operations: the count, the missing ones, and the names for `lacks`. */
  operations?: Presence & { lacks: string[] };
  requirements: { total: number; tested: number; untested: { id: string; why: string }[] };
  /** Exchanges with a body that was truncated to limit memory; absent if none. */
  shortened?: number;
  /** Why the run ended early; absent if complete. */
  stopped?: string;
  /** Present with a baseline. `problems`: entries that are stale or match no failure; each fails the run. */
  baseline?: { file: string; known: number; problems: string[] };
}

/** Progress of a run. */
export type ConformEvent =
  | { type: 'start'; baseUrl: string; seed: number; checks: number; tasks: number }
  | { type: 'case'; case: string; running: boolean }
  | {
      type: 'check';
      check: CheckResult;
      done: number;
      /** May grow: a finding about a requirement that a case does not cover adds a check. */
      total: number;
      /** Since the start, ms. */
      elapsedMs: number;
      /** The target responded with 429, and the run reduced its request rate. */
      isSlowed?: boolean;
    }
  /** A generated conversation that breaks a rule, minimized: the name and the texts of its files. */
  | { type: 'failure'; name: string; yaml: string; markdown: string }
  /** `checks`: number of additional checks that are planned from now on. */
  | { type: 'note'; text: string; checks?: number }
  | { type: 'end'; report: ConformReport };

export function summarizeChecks(checks: readonly CheckResult[]): Summary {
  const summary: Summary = { passed: 0, failed: 0, inconclusive: 0, skipped: 0 };
  for (const { outcome } of checks) summary[outcome] = (summary[outcome] ?? 0) + 1;
  return summary;
}

/** Outcomes that are conclusive about the target. */
export const DECIDED: readonly Outcome[] = ['passed', 'failed', 'flaky'];

/**
 * Which rules about one side were tested. `whyNot`: the reason why a rule was not. For a partial run, only the rules of its
 * checks count.
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
