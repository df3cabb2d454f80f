import type { RequirementId } from '../../../spec/generated/documents.js';
import { groupBy } from '../../../spec/lists.js';
import type { Severity } from '../../../spec/requirement-types.js';
import { readSeverity } from '../../causes/causes.js';
import { type CheckResult, findDecisive, readSuite } from '../../causes/check-result.js';
import type { Judge } from '../../rules/judge.js';
import type { Rule } from '../../rules/rule.js';

/** Details of a finding besides its message. */
interface FindingDetails {
  rule?: string | undefined;
  /** If it is more severe than a wrong state. */
  severity?: Severity | undefined;
}

interface RequirementFinding {
  /** The rule that found it; undefined if the case did. */
  rule?: string;
  severity?: Severity;
  message: string;
  evidence: number[];
  again_in?: number[];
}

/** The subject of checks, for example a test case. */
interface CheckSubject {
  id: string;
  title: string;
  covers: readonly RequirementId[];
}

export type CaseCompletion =
  | { kind: 'whole' }
  | { kind: 'inconclusive' | 'skipped' | 'interrupted'; why: string }
  /** The target responded to requests before and after, but not to this one. */
  | { kind: 'unanswered'; why: string; seq: number }
  /** The case itself crashed: a defect of taskdouble. */
  | { kind: 'fault'; why: string };

/** Exchanges that a check names, at most. */
const MOST_EVIDENCE = 20;

/** Unique exchanges, up to the limit: several rules may name the same one. */
function limitEvidence(evidence: readonly number[]): number[] {
  return [...new Set(evidence)].slice(0, MOST_EVIDENCE);
}

/** The evidence of a case for each requirement. */
export class Verdicts {
  readonly #broken = new Map<RequirementId, RequirementFinding>();
  readonly #held = new Map<RequirementId, number[]>();
  readonly #flaky = new Map<
    RequirementId,
    { message: string; evidence: number[]; attempts: AttemptCounts }
  >();
  /** The recording is inconclusive for these. */
  readonly #open = new Map<RequirementId, { message: string; evidence: number[] }>();

  addEvidence(requirement: RequirementId, evidence: readonly number[]): void {
    const before = this.#held.get(requirement) ?? [];
    this.#held.set(requirement, limitEvidence([...before, ...evidence]));
  }

  addFinding(
    requirement: RequirementId,
    message: string,
    evidence: readonly number[],
    { rule, severity }: FindingDetails = {},
  ): void {
    const first = this.#broken.get(requirement);
    if (first) {
      // Later findings are mostly consequences of it.
      const decisive = evidence.at(-1);
      if (rule === undefined && decisive !== undefined && decisive !== first.evidence.at(-1))
        first.again_in = limitEvidence([...(first.again_in ?? []), decisive]);
      return;
    }
    const details = { ...(rule !== undefined && { rule }), ...(severity && { severity }) };
    this.#broken.set(requirement, { message, evidence: limitEvidence(evidence), ...details });
  }

  /** Adds a finding that the repeated requests did not confirm. */
  addFlaky(
    requirement: RequirementId,
    message: string,
    evidence: readonly number[],
    attempts: AttemptCounts,
  ): void {
    this.#flaky.set(requirement, { message, evidence: limitEvidence(evidence), attempts });
  }

  /** Whether a finding has this exchange as evidence. */
  hasFinding(seq: number): boolean {
    return [...this.#broken.values()].some(({ evidence }) => evidence.includes(seq));
  }

  /** Adds the findings and evidence of these rules on the exchanges. */
  addJudgeResults(judge: Judge, rules: readonly Rule[]): void {
    const byId = new Map(rules.map((rule) => [rule.id, rule]));
    const { findings, openQuestions } = judge.conclude();
    for (const finding of findings) {
      if (finding.level !== 'must') continue;
      for (const requirement of byId.get(finding.rule)?.requirements ?? [])
        this.addFinding(requirement, finding.message, finding.evidence, { rule: finding.rule });
    }
    for (const { rule, message, evidence } of openQuestions) {
      if (rule.level !== 'must') continue;
      for (const requirement of rule.requirements)
        if (!this.#open.has(requirement))
          this.#open.set(requirement, { message, evidence: limitEvidence(evidence) });
    }
    for (const [id, seqs] of judge.collectKeptRules()) {
      for (const requirement of byId.get(id)?.requirements ?? []) this.addEvidence(requirement, seqs);
    }
  }

  /** One check for each covered requirement, and one for each other requirement that was broken or flaky. */
  createChecks(judged: CheckSubject, ending: CaseCompletion): CheckResult[] {
    const all = new Set([...judged.covers, ...this.#broken.keys(), ...this.#flaky.keys()]);
    return [...all].map((requirement) => ({
      id: `${judged.id}#${requirement}`,
      case: judged.id,
      suite: readSuite(judged.id),
      title: judged.title,
      covers: [requirement],
      ...this.#createOutcome(requirement, judged, ending),
    }));
  }

  #createOutcome(
    requirement: RequirementId,
    judged: CheckSubject,
    ending: CaseCompletion,
  ): Pick<CheckResult, 'outcome' | 'message' | 'evidence' | 'again_in' | 'rule' | 'severity' | 'retries'> {
    const broken = this.#broken.get(requirement);
    if (broken) return { outcome: 'failed', ...broken };
    // A request without a response breaks the main requirement of the case, once.
    if (ending.kind === 'unanswered' && requirement === judged.covers[0]) {
      const message = `${ending.why}. Other requests get responses.`;
      return { outcome: 'failed', message, evidence: [ending.seq] };
    }
    // The evidence of a crashed case is incomplete and shows nothing.
    if (ending.kind === 'fault') return { outcome: 'error', message: ending.why, evidence: [] };
    const flaky = this.#flaky.get(requirement);
    if (flaky) {
      const { attempts, ...failure } = flaky;
      return flakyCheck(failure, attempts);
    }
    const open = this.#open.get(requirement);
    if (open) return { outcome: 'inconclusive', ...open };
    const held = this.#held.get(requirement);
    if (held) {
      const shown = held.length === 1 ? 'an exchange shows' : `${held.length} exchanges show`;
      return { outcome: 'passed', message: `kept, as ${shown}`, evidence: held };
    }
    if (ending.kind === 'skipped') return { outcome: 'skipped', message: ending.why, evidence: [] };
    const why = ending.kind === 'whole' ? 'no exchange gave the occasion' : ending.why;
    return { outcome: 'inconclusive', message: why, evidence: [] };
  }
}

/** The results of one try of a test case or scenario. */
export interface TryResult {
  checks: readonly CheckResult[];
}

interface MergedTries {
  checks: CheckResult[];
  /** Another try may show that a failure is flaky. */
  isOpen: boolean;
}

/**
 * Merges the results of several tries into one per check. A failure is flaky if another try shows the requirement to be met; a
 * leak is always a failure. `isKept`: whether a try shows that.
 */
export function mergeTries<T extends TryResult>(
  tries: readonly T[],
  isKept: (failed: CheckResult, other: T) => boolean,
): MergedTries {
  const results = groupBy(
    tries.flatMap(({ checks }) => checks),
    ({ id }) => id,
  );
  let isOpen = false;
  const checks = [...results.values()].map((same): CheckResult => {
    const failed = same.filter(({ outcome }) => outcome === 'failed');
    const leak = failed.find((each) => readSeverity([each]) === 'leak');
    const check = leak ?? findDecisive(same);
    if (leak || check.outcome !== 'failed') return check;
    if (tries.some((each) => isKept(check, each)))
      return flakyCheck(check, { failed: failed.length, tries: tries.length, retries: tries.length - 1 });
    isOpen = true;
    return check;
  });
  return { checks, isOpen };
}

/** `retries`: number of repeated requests or tries. */
export interface AttemptCounts {
  failed: number;
  tries: number;
  retries: number;
}

/** A failed check as one that failed in only some of its tries. */
export function flakyCheck<T extends Pick<CheckResult, 'message'>>(
  failure: T,
  { failed, tries, retries }: AttemptCounts,
): T & Pick<CheckResult, 'outcome' | 'retries'> {
  const message = `failed in ${failed} of ${tries} tries: ${failure.message}`;
  return { ...failure, outcome: 'flaky', retries, message };
}
