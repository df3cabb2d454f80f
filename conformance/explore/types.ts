import type { NetworkRule, Scenario } from '../../scenarios/format/types.js';
import type { DeviationKind } from '../../scenarios/verbs/verbs.js';
import type { Exchange, Finding } from '../../spec/vocabulary.js';
import type { Cause } from '../causes/check-result.js';
import type { WaitKind } from '../client/judge/run-end.js';
import type { GivenClient, GivenScenarios } from '../client/run/client-options.js';
import type { ClientRun } from '../client/types.js';
import type { Shard } from '../common/shard.js';
import type { RunTimeLabel } from '../service/runner/result.js';
import type { Race } from './reproduce/race.js';

/** A change of the default order: a network rule for exactly one request, response or step. */
export interface Deviation {
  kind: DeviationKind;
  rule: NetworkRule;
  /** The affected request (`poll#3`) or step (`step finish`), as named in the trace. */
  at: string;
  /** The preceding step of the timeline, by index and in words: the rule is set after that step. Default: at the beginning. */
  behind?: { place: number; words: string };
}

/** A scenario with a set of deviations. Without deviations it is the default schedule. */
export interface Schedule {
  scenario: Scenario;
  deviations: readonly Deviation[];
}

/**
 * A broken rule, or advice, with the smallest schedule that shows it. Findings of the same rule in the same scenario are one failure,
 * unless the client waits for something else or another deviation is necessary.
 */
export interface Failure extends Finding {
  /** `replies/outcome first`: the rule and its subject. */
  key: string;
  /** Base name of its files: `replies-outcome-first`. */
  name: string;
  /** The scenario that was explored. */
  scenario: string;
  /** The remaining deviations. Empty if the unchanged scenario fails. */
  deviations: readonly Deviation[];
  /** Number of deviations of the schedule that first showed it. */
  foundWith: number;
  /** For a hang: what the client waits for. */
  wait: WaitKind | undefined;
  /** The kinds of change by the necessary deviations: `limited poll`. */
  changes: readonly string[];
  /** The error with which the client gave up, without numbers and ids. */
  reported: string | undefined;
  /** Number of the schedule that showed it, from 1, and real ms since the start of the search. */
  schedule: number;
  foundAtMs: number;
  /** Number of schedules with this failure, number without a deviation (every shard runs them), and their scenarios. */
  seen: number;
  seenUnchanged: number;
  scenarios: string[];
  /** Position of the schedule in the order of the whole search, independent of shards; and its changes. */
  place: readonly number[];
  foundChanges: readonly string[];
  /** In merged reports: the shard that found it, the command that repeats it, and its file. */
  origin?: { shard: Shard; again: string; file: string };
  /** The run that showed it, after minimizing. Failures of one run share them. */
  exchanges: Exchange[];
  /** The run as text, at most 15 lines. */
  timeline: string[];
  /** Text of NAME.yaml and of NAME.md. */
  yaml: string;
  markdown: string;
  /** The run next to one without the deviations; absent in merged reports: the files of the shards have it. */
  race?: Race;
  /** Its last run differed from the one before: it may not be reproduced every time. */
  isNondeterministic: boolean;
}

/** Progress of a search. Rates are schedules per second of real time. */
export interface Progress {
  /** Schedules that were run, without repetitions and minimizing. */
  schedules: number;
  /** Of these, schedules with a new order of events. */
  distinct: number;
  /** Of these, schedules with a deviation that was not triggered: neither passed nor failed. */
  notTriggered: number;
  /** Of these, schedules with a failure that is not known. */
  failing: number;
  perSecond: number;
  /** Number of deviations in the current schedule; `walk` during the random search. */
  phase: number | 'walk';
  elapsedMs: number;
  /** Estimated by the rate so far, limited by the time limit; undefined if nothing is known yet. */
  leftMs: number | undefined;
}

export interface ExploreOptions {
  client: GivenClient;
  /** Default: a small set that covers everything. `generated` adds 20 scenarios that are drawn by the seed. */
  scenarios?: GivenScenarios;
  /** Features that the client lacks, named as for `--lacks`: scenarios that need them are skipped. */
  lacks?: readonly string[] | undefined;
  /** Globs of the names of scenarios to leave out. */
  exclude?: readonly string[] | undefined;
  /** Most schedules. Default 10,500. */
  schedules?: number;
  /** Most deviations in a schedule of the systematic search. Default 2. */
  deviations?: number;
  /** Seed of the random walks and of the mock. Default 1. */
  seed?: number;
  /** Runs only this part of the schedules. */
  shard?: Shard;
  /**
   * Runs at the same time. Default 2 for commands in virtual time, as many as the machine carries in real time, all cores for a function
   * with a `module`, 1 for any other function. The results of a function do not depend on it.
   */
  jobs?: number;
  /** ms. Default two minutes. */
  timeLimitMs?: number;
  /** Ends the search; the report has the results so far. */
  signal?: AbortSignal;
  /** Keys of known failures: counted, but not reported. */
  known?: readonly string[];
  /**
   * The command that repeats a failure, for its files: `npx taskdouble explore --replay taskdouble-races/FILE -- node client.mjs`. FILE is
   * replaced by NAME.yaml.
   */
  commandLine?: string;
}

export type ExploreEvent =
  | {
      type: 'start';
      scenarios: string[];
      seed: number;
      schedules: number;
      time: RunTimeLabel;
      adapter?: string;
      shard?: Shard;
    }
  | { type: 'progress'; progress: Progress }
  /** A new failure, or new advice. Its `seen` is updated until the report. */
  | { type: 'failure'; failure: Failure }
  | { type: 'note'; text: string }
  | { type: 'end'; report: ExploreReport };

export interface ExploreReport {
  time: RunTimeLabel;
  /** The persistent adapter of the client, and what its jobs share. */
  adapter?: string | undefined;
  seed: number;
  shard?: Shard;
  scenarios: string[];
  progress: Progress;
  /** Broken rules, in the order of discovery. */
  failures: Failure[];
  /** Failures grouped by defect, by severity, then in the order of discovery. `listFailures` returns the failures of one. */
  causes: Cause[];
  /** Findings that the API does not require: reported, not failed. */
  advice: Failure[];
  /** Known failures that occurred, how often, and how often without a deviation. */
  known: { key: string; seen: number; seenUnchanged: number }[];
  /** Schedules whose second run differed from the first: how, and the likely source. */
  nondeterministic: { schedule: string; difference: string; source: string }[];
  /** Schedules that were run a second time to detect that. */
  repeated: number;
  /**
   * By scenario and number of deviations: `run` of `of` schedules in this shard. `queued`: found so far in all shards; `ours`: in this
   * one. `expanded`: runs with known successors. `notTriggered`: runs with a deviation that was not triggered.
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
  /** Most deviations of the systematic search. */
  deviations: number;
  /** Schedules of random walks, and their largest number of deviations. */
  walked: number;
  longest: number;
  /** Scenarios with failed runs (including known failures), the number of those without a deviation, and the keys of their failures. */
  broken: { scenario: string; runs: number; runsUnchanged: number; keys: string[] }[];
  /** The covered space, in words. */
  statement: string;
  /** Why nothing could be tested: the client cannot be started, or nearly no deviation was triggered. */
  untestable?: string;
  /** Why the search ended: `schedules`, `time`, `space` (nothing was left to explore), `aborted`. */
  ended: 'schedules' | 'time' | 'space' | 'aborted';
  durationMs: number;
}

export interface Replay {
  /** Rules that this run broke, and advice. */
  findings: Finding[];
  /** Key of the failure in the file; undefined for a scenario without one. */
  expected: string | undefined;
  /** The run showed that failure (without one in the file: any failure). */
  shown: boolean;
  /** Ids of the deviations that were not triggered. */
  notTriggered: string[];
  run: ClientRun;
  /** Present if it was requested and the run showed the failure. */
  race?: Race;
}
