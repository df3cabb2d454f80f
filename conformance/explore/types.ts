import type { NetworkRule, Scenario } from '../../scenarios/format/types.js';
import type { DeviationKind } from '../../scenarios/verbs/verbs.js';
import type { Exchange } from '../../spec/vocabulary.js';
import type { Cause } from '../causes/cause.js';
import type { WaitKind } from '../client/judge/run-end.js';
import type { RunFinding } from '../client/judge/run-rules.js';
import type { GivenClient, GivenScenarios } from '../client/run/client-options.js';
import type { ClientRun } from '../client/types.js';
import type { RaceSearchResult, RunTimeLabel } from '../service/runner/result.js';
import type { Race } from './reproduce/race.js';

/** A change of the default order: a network rule that concerns exactly one request, response or step. */
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

/** A scenario with a set of deviations; without any the default. */
export interface Schedule {
  scenario: Scenario;
  deviations: readonly Deviation[];
}

/** One of `of` parts of all schedules, from 1. */
export type Shard = NonNullable<RaceSearchResult['shard']>;

/**
 * A rule that the client broke, or advice, with the smallest schedule that shows it. Findings of the same rule in the same
 * scenario are one failure, unless the client waits for something else or another deviation is necessary.
 */
export interface Failure extends RunFinding {
  /** `replies/outcome first`: the rule and what it is about. */
  key: string;
  /** Name of its files: `replies-outcome-first`. */
  name: string;
  /** The scenario that was explored. */
  scenario: string;
  /** What is left of the deviations; none: the scenario fails by itself. */
  deviations: readonly Deviation[];
  /** How many it had when it was found. */
  foundWith: number;
  /** Of a hang: what the client waits for. */
  wait: WaitKind | undefined;
  /** What the necessary deviations change, in general: `limited poll`. */
  changes: readonly string[];
  /** The error with which the client gave up, without numbers and ids. */
  reported: string | undefined;
  /** Number of the schedule that showed it, from 1, and real ms from the beginning of the search until then. */
  schedule: number;
  foundAtMs: number;
  /** Schedules with this failure so far, those of them without a deviation (every shard runs them), and their scenarios. */
  seen: number;
  seenUnchanged: number;
  scenarios: string[];
  /** The place of the schedule that showed it in the order of the whole search, whatever the shard; and what it changed. */
  place: readonly number[];
  foundChanges: readonly string[];
  /** The shard that found it, where reports were merged. */
  shard?: Shard;
  /** The run that showed it, after shrinking. Failures of one run share them. */
  exchanges: Exchange[];
  /** The same in lines, at most 15. */
  timeline: string[];
  /** Text of NAME.yaml and of NAME.md. */
  yaml: string;
  markdown: string;
  /** The run beside one without the deviations; absent where shards were merged: their files have it. */
  race?: Race;
  /** Its last run differed from the one before: it may not show every time. */
  isNondeterministic: boolean;
}

/** How far a search is. Rates are schedules per second of real time. */
export interface Progress {
  /** Schedules that were run (without those run again, and those of shrinking). */
  schedules: number;
  /** Of these, those whose order of things had not been seen. */
  distinct: number;
  /** Of these, those in which a deviation was not triggered: neither passed nor failed. */
  notTriggered: number;
  /** Of these, those that broke a rule in a way that is not known. */
  failing: number;
  perSecond: number;
  /** Deviations in the schedule run now; `walk` once the search is random. */
  phase: number | 'walk';
  elapsedMs: number;
  /** By the rate so far, at most what is left of the time limit; undefined when nothing is known yet. */
  leftMs: number | undefined;
}

export interface ExploreOptions {
  client: GivenClient;
  /** A small set in which everything occurs when none is given. `generated` stands for 20 that are drawn by the seed. */
  scenarios?: GivenScenarios;
  /** What the client does not have: scenarios that need it are passed over. Names as `--lacks` takes them. */
  lacks?: readonly string[] | undefined;
  /** Globs of names of scenarios that are left out. */
  exclude?: readonly string[] | undefined;
  /** Schedules at most. 10,500 unless given. */
  schedules?: number;
  /** Deviations in a schedule at most while the search is systematic. 2 unless given. */
  deviations?: number;
  /** Of the random walks and of the mock. 1 unless given. */
  seed?: number;
  /** This part of the schedules only. */
  shard?: Shard;
  /**
   * Runs at the same time. Unless given 2 for commands, and all cores for a function with a `module`; any other function is run
   * by itself. The results of a function do not depend on it.
   */
  jobs?: number;
  /** ms. Two minutes unless given. */
  timeLimitMs?: number;
  /** Ends the search; the report shows what is known so far. */
  signal?: AbortSignal;
  /** Keys of failures that are known: passed over and counted. */
  known?: readonly string[];
  /**
   * What to type to see a failure again, for its files: `npx taskdouble explore --replay taskdouble-races/FILE -- node client.mjs`,
   * where FILE stands for NAME.yaml.
   */
  commandLine?: string;
}

/** What happens during a search. */
export type ExploreEvent =
  | { type: 'start'; scenarios: string[]; seed: number; schedules: number; time: RunTimeLabel; shard?: Shard }
  | { type: 'progress'; progress: Progress }
  /** A new failure, or new advice. Its `seen` goes on counting in the report. */
  | { type: 'failure'; failure: Failure }
  | { type: 'note'; text: string }
  | { type: 'end'; report: ExploreReport };

/** What a search has found, and how far it went. */
export interface ExploreReport {
  time: RunTimeLabel;
  seed: number;
  shard?: Shard;
  scenarios: string[];
  progress: Progress;
  /** Broken rules, in the order in which they were found. */
  failures: Failure[];
  /** The same by the defect, the gravest first, then in the order in which they were found; `failuresOf` gives those of one. */
  causes: Cause[];
  /** What the API does not oblige a client to: reported, not failed. */
  advice: Failure[];
  /** Known failures that came, how often, and how often without a deviation. */
  known: { key: string; seen: number; seenUnchanged: number }[];
  /** Schedules whose second run differed from the first: how, and the likely source. */
  nondeterministic: { schedule: string; difference: string; source: string }[];
  /** Schedules run a second time to see that. */
  repeated: number;
  /**
   * Per scenario and number of deviations: of how many schedules (of this shard) how many were run. `queued`: those found so far, of
   * every shard; `ours`: of this one. `expanded`: runs whose successors are known. `notTriggered`: runs in which a deviation was not.
   */
  coverage: {
    scenario: string;
    deviations: number;
    run: number;
    of: number;
    queued: number;
    ours: number;
    expanded: number;
    notTriggered: number;
  }[];
  /** Of the systematic search, at most. */
  deviations: number;
  /** Schedules of random walks, and how many deviations they have at most. */
  walked: number;
  longest: number;
  /** Scenarios with runs that failed (known failures too), how many of them without a deviation, and the keys of what they showed. */
  broken: { scenario: string; runs: number; runsUnchanged: number; keys: string[] }[];
  /** The bound that was covered, in words. */
  statement: string;
  /** Why nothing could be tested: the client cannot be started, or nearly nothing that was varied came. */
  untestable?: string;
  /** Why the search ended: `schedules`, `time`, `space` (nothing was left to try), `aborted`. */
  ended: 'schedules' | 'time' | 'space' | 'aborted';
  durationMs: number;
}

/** What came of a replay. */
export interface Replay {
  /** Rules that this run broke, and advice. */
  findings: RunFinding[];
  /** Key of the failure that the file says it shows; undefined for a scenario that does not say. */
  expected: string | undefined;
  /** It showed that failure (or, where the file says nothing, anything that fails). */
  shown: boolean;
  /** Ids of the deviations that were not triggered. */
  notTriggered: string[];
  run: ClientRun;
  /** Where it showed the failure of the file, and was asked for. */
  race?: Race;
}
