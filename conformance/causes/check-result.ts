import { SUITES } from '../../scenarios/format/library/folders.js';
import type { RequirementId } from '../../spec/generated/documents.js';
import type { OperationId } from '../../spec/generated/operations.js';
import { groupBy } from '../../spec/lists.js';
import type { Severity, Side } from '../../spec/requirement-types.js';
import type { Finding, Situation } from '../../spec/vocabulary.js';

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
export type CheckSuite = (typeof SUITES)[number] | 'search' | 'races' | 'own' | 'unknown-scenario' | Side;

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
  /** The scenario file, if it is not one of the library. */
  file?: string;
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
  /** Identifies a failure of generated sequences. */
  failure?: string;
  /** State of a client that gave up, hung or crashed. */
  situation?: Situation;
  /** How a client changed a value that it had received. */
  change?: string;
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

/** A defect that probably causes failures. Every failed check is in exactly one cause. */
export interface Cause {
  /** The violated rule or requirement, and the situation; unique in a report. */
  id: string;
  /** The defect in a sentence; for a service, the expected and the actual value in the example. */
  title: string;
  /** The requirement that the example violates, then others that have most of their failures here. */
  requirements: RequirementId[];
  /** The rule that found it, else the requirement. */
  rule: string;
  /** The operation that all these failures concern; null if there are several. */
  operation: OperationId | null;
  /** The harm that it does. The most severe cause comes first, whatever its number of failures. */
  severity: Severity;
  explains: number;
  /** Other causes occur only in runs that fail by this one too: they may be consequences of it. */
  first?: true;
  /** Clients only: what every failing scenario of this cause needs, and no passing scenario. The client may lack it. */
  lacks?: string;
  /** Id of the check that shows it best. */
  example: string;
  checks: string[];
}

export function summarizeChecks(checks: readonly CheckResult[]): Summary {
  const summary: Summary = { passed: 0, failed: 0, inconclusive: 0, skipped: 0 };
  for (const { outcome } of checks) summary[outcome] = (summary[outcome] ?? 0) + 1;
  return summary;
}

/** Outcomes that are conclusive about the target. */
export const DECIDED: readonly Outcome[] = ['passed', 'failed', 'flaky'];

/** Largest number of `seq`s in the evidence of a check. */
const MOST_EVIDENCE = 20;

/** Message and evidence of several findings of one rule. */
export function summarizeFindings(group: readonly Finding[]): Pick<CheckResult, 'message' | 'evidence'> {
  const more = group.length > 1 ? ` (And ${group.length - 1} more of this kind.)` : '';
  const seqs = new Set(group.flatMap(({ evidence }) => evidence));
  const evidence = [...seqs].sort((one, other) => one - other).slice(-MOST_EVIDENCE);
  return { message: group[0]!.message + more, evidence };
}

/** One advice per rule. `owner`: the scenario, or `client` for recorded exchanges. */
export function summarizeAdvice(owner: string, findings: readonly Finding[], scenario?: string): Advice[] {
  const advised = findings.filter(({ level }) => level === 'advice');
  return [...groupBy(advised, ({ rule }) => rule)].map(([rule, group]) => ({
    id: `${owner}#${rule}`,
    ...(scenario !== undefined && { scenario }),
    rule,
    ...summarizeFindings(group),
  }));
}
