import type { TraceEntry } from '../../mock/network/trace.js';
import type { NetworkRule, Scenario } from '../../scenarios/format/types.js';
import type { DeviationKind } from '../../scenarios/verbs/verbs.js';
import type { Exchange } from '../../spec/vocabulary.js';
import type { GivenScenarios, WithClient } from '../client/run/client-options.js';
import type { ClientRun } from '../client/types.js';

/** One thing that goes otherwise than it would by itself: a network rule that concerns exactly one request, answer or step. */
export interface Deviation {
  kind: DeviationKind;
  rule: NetworkRule;
  /** The request (`poll#3`) or step (`step finish`) that it is about, as the trace names it. */
  at: string;
  /**
   * The step of the timeline behind which it stands, by its place and in words: it is set once that has happened. Before
   * everything else unless given.
   */
  behind?: { place: number; words: string };
}

/** A scenario and what goes otherwise in it; without deviations the default. */
export interface Schedule {
  scenario: Scenario;
  deviations: readonly Deviation[];
}

/** Failures that belong together: the same rule, about the same thing, of the same weight. */
export interface Bucket {
  /** `replies/outcome first`: the rule and what it is about. */
  key: string;
  rule: string;
  /** Name of the step or request that it is about, where there is one. */
  about: string | undefined;
  level: 'must' | 'advice';
}

/** A failing schedule, shrunk. */
export interface Find {
  bucket: Bucket;
  /** Name of its files: `replies-outcome-first`. */
  name: string;
  /** The scenario that was explored. */
  scenario: string;
  /** What is left of the deviations, as network steps; none: the scenario fails by itself. */
  deviations: Deviation[];
  /** How many it had when it was found. */
  foundWith: number;
  /** Number of the schedule that showed it, from 1. */
  schedule: number;
  /** Schedules with this failure (the same bucket) so far. */
  seen: number;
  /** Where, what was expected, what came, what to do. */
  message: string;
  /** `seq` of the exchanges that show it. */
  evidence: number[];
  seed: number;
  /** The scenario with its deviations: what stands in the file. */
  reproduction: Scenario;
  /** The run that showed it, after shrinking. */
  exchanges: Exchange[];
  trace: TraceEntry[];
  /** Text of NAME.yaml and of NAME.md. */
  yaml: string;
  markdown: string;
  /** Its last run differed from the one before: it may not show every time. */
  unsteady: boolean;
}

/** How far a search is. Rates are schedules per second of real time. */
export interface Progress {
  /** Schedules that were run (without those run again, and those of shrinking). */
  schedules: number;
  /** Of these, those whose order of things had not been seen. */
  distinct: number;
  /** Of these, those in which a deviation did not come about: neither passed nor failed. */
  unrealised: number;
  /** Of these, those with a failing finding. */
  failures: number;
  /** Buckets so far, failing ones and advice. */
  finds: number;
  advice: number;
  perSecond: number;
  /** Deviations in the schedule run now; `walk` once the search is random. */
  phase: number | 'walk';
  elapsedMs: number;
  /** By the rate so far, at most what is left of the time limit; undefined when nothing is known yet. */
  leftMs: number | undefined;
}

export interface ExploreOptions extends WithClient {
  /** Those that are bent; a small set in which everything occurs when none is given. */
  scenarios?: GivenScenarios;
  /** Schedules at most. 10,000 unless given. */
  schedules?: number;
  /** Deviations in a schedule at most while the search is systematic. 2 unless given. */
  deviations?: number;
  /** Of the random walks and of the mock. 1 unless given. */
  seed?: number;
  /** This part of the space only; from 1 to `of`. */
  shard?: { part: number; of: number };
  /** Runs at the same time. 1 for functions, whatever is given; 2 for commands unless given. */
  jobs?: number;
  /** ms. Two minutes unless given. */
  timeLimitMs?: number;
  /** Ends the search; the report says what is known so far. */
  signal?: AbortSignal;
  /** Keys of buckets that are known: passed over and counted, no failures. */
  known?: readonly string[];
  /**
   * What to type to see a find again, for its files: `npx taskdouble explore --replay taskdouble-races/FILE -- node client.mjs`,
   * where FILE stands for NAME.yaml.
   */
  commandLine?: string;
}

/** What happens during a search, for those who show it. */
export type ExploreEvent =
  | {
      type: 'start';
      scenarios: string[];
      seed: number;
      schedules: number;
      time: TimeOfRuns;
      shard?: { part: number; of: number };
    }
  | { type: 'progress'; progress: Progress }
  /** A new bucket. Its `seen` goes on counting in the report. */
  | { type: 'find'; find: Find }
  | { type: 'note'; text: string }
  | { type: 'end'; report: ExploreReport };

export type TimeOfRuns = 'real' | 'virtual (in process)' | 'virtual (Node.js)';

/** What a search has found, and how far it went. */
export interface ExploreReport {
  time: TimeOfRuns;
  seed: number;
  shard?: { part: number; of: number };
  scenarios: string[];
  progress: Progress;
  /** Failing buckets, in the order in which they were found. */
  finds: Find[];
  /** What the API does not oblige a client to: reported, not failed. */
  advice: Find[];
  /** Buckets that were passed over, and how often each came. */
  known: { key: string; seen: number }[];
  /** Schedules whose second run went another way, each in words. */
  unsteady: { schedule: string; difference: string }[];
  /** Schedules run a second time to see that. */
  repeated: number;
  /** Per scenario and number of deviations: of how many schedules how many were run. */
  coverage: { scenario: string; deviations: number; run: number; of: number }[];
  /** Scenarios with runs that failed, known failures too, and the keys of the buckets they went into. */
  broken: { scenario: string; runs: number; keys: string[] }[];
  /** The bound that was covered, in words. */
  statement: string;
  /** Why nothing could be tested (the client cannot be started, say); the report has no runs then. */
  untestable?: string;
  /** Why the search ended: `schedules`, `time`, `space` (nothing was left to try), `aborted`. */
  ended: 'schedules' | 'time' | 'space' | 'aborted';
  durationMs: number;
}

/** What came of a replay. */
export interface Replay {
  /** Findings that break a rule, and advice, of this run. */
  failed: {
    rule: string;
    about: string | undefined;
    level: 'must' | 'advice';
    message: string;
    evidence: number[];
  }[];
  /** The bucket that the file says it shows; undefined for a scenario that does not say. */
  expected: string | undefined;
  /** It showed what the file says it shows (or, where it says nothing, anything that fails). */
  shown: boolean;
  /** Deviations that did not come about. */
  unrealised: string[];
  run: ClientRun;
}
