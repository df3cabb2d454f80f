import type { RequirementId } from '../../spec/generated/documents.js';
import type { Exchange } from '../../spec/vocabulary.js';
import type { Suite } from './probe.js';

export const OUTCOMES = ['passed', 'failed', 'inconclusive', 'skipped'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** What became of one check. */
export interface CheckResult {
  /** `polling/one-shot#POLL-02`. */
  id: string;
  suite: Suite;
  title: string;
  covers: RequirementId[];
  outcome: Outcome;
  /** Of a failure: where, what was expected, what came. Of others: why, or what showed it. */
  message: string;
  /** `seq` of the exchanges that show it. */
  evidence: number[];
  /** A failure that the baseline has as known: it is listed, and does not fail the run. */
  known?: { reason: string; expires: string };
}

/** A run of the suite against one target. The JSON report, section "conform" of the contract. */
export interface ConformReport {
  taskdouble: string;
  target: { base_url: string };
  seed: number;
  /** ISO 8601. */
  started: string;
  duration_ms: number;
  summary: Record<Outcome, number>;
  checks: CheckResult[];
  exchanges: Exchange[];
  /** Choices observed, by the id of the open point. */
  dialect: Record<string, string | number>;
  requirements: { total: number; tested: number; untested: { id: string; why: string }[] };
  /** Why the run ended early; absent when it did not. */
  stopped?: string;
  /** Present where a baseline was applied. `problems`: entries that are stale or fit no failure; each fails the run. */
  baseline?: { file: string; known: number; problems: string[] };
}

/** What happens while a suite runs, for those who show it. */
export type ConformEvent =
  | { type: 'start'; base_url: string; seed: number; checks: number; tasks: number }
  | { type: 'probe'; probe: string; running: boolean }
  | { type: 'check'; check: CheckResult; done: number; total: number }
  | { type: 'note'; text: string }
  | { type: 'end'; report: ConformReport };
