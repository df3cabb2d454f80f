import { type RequirementId, requirements } from '../../../spec/generated/documents.js';
import type { OperationId } from '../../../spec/generated/operations.js';
import type { Side } from '../../../spec/requirement-types.js';
import type { Exchange } from '../../../spec/vocabulary.js';
import { findCauses } from '../../causes/causes.js';
import {
  type Advice,
  type Cause,
  type CheckResult,
  DECIDED,
  type Summary,
  summarizeChecks,
} from '../../causes/check-result.js';
import type { Shard } from '../../common/shard.js';
import { VERSION } from '../../common/version.js';
import type { PairFigures } from '../search/draw/pair-coverage.js';
import type { Presence } from './presence.js';

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
  shard?: Shard;
  /** For a shard: input for `merge-reports`. */
  state?: object;
}

/** The extent of a search with generated sequences of requests. */
export interface SequenceSearchResult {
  sequences: number;
  requests: number;
  /** Combinations of operation, resource state and condition: those sent (`cells`) of those possible (`of`), and pairs. */
  coverage: { cells: number; of: number } & PairFigures & {
      /** Some of the pairs that no sequence has sent. */
      uncovered: string[];
    };
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
  shard?: Shard;
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
  /** Of a run of conform or client that is a part of a divided one. */
  shard?: Shard;
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
  /** JSON only: exchanges of passed checks that the file does not have. */
  left_out?: number;
  /** Why the run ended early; absent if complete. */
  stopped?: string;
  /** Present with a baseline. `problems`: entries that are stale or match no failure; each fails the run. */
  baseline?: { file: string; known: number; problems: string[] };
}

type ReportParts = Omit<ConformReport, 'taskdouble' | 'started' | 'summary' | 'causes' | 'dialect'> & {
  started: Date;
  dialect?: ConformReport['dialect'];
};

/** A report with the summary and the causes that follow from its checks. */
export function createReport({ started, ...parts }: ReportParts): ConformReport {
  const { checks, exchanges } = parts;
  return {
    dialect: {},
    ...parts,
    taskdouble: VERSION,
    started: started.toISOString(),
    summary: summarizeChecks(checks),
    causes: findCauses(checks, exchanges),
  };
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

/** Why a check of a service did not test a requirement. */
export function explainUntested(
  { id, unobservable }: { id: string; unobservable?: string },
  checks: readonly CheckResult[],
  shard?: Shard,
): string {
  if (unobservable !== undefined) return unobservable;
  const tried = checks.find(({ covers }) => covers.some((each) => each === id));
  if (tried) return tried.message;
  return shard ? 'this part of the suite has no check for it' : 'the suite has no check for it';
}

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
