import type { RequirementId } from '../../../spec/generated/documents.js';
import type { Finding } from '../../../spec/vocabulary.js';
import type { Situation } from '../../causes/cause.js';
import { findRunRule, RUN_RULES, type RunEvidence, type RunRuleId } from '../../rules/run-rules.js';

/** A rule that a run breaks, or advice. */
export type RunFinding = Finding & {
  /** A name that is stable across runs: the step of a call or an action, or the name of a tool. */
  about?: string | undefined;
  /** Where the client was when it gave up, hung or died. */
  situation?: Situation;
};

/** The key of a finding in baselines and files: rule, subject, level. */
export function formatFailureKey({ rule, about, level }: RunFinding): string {
  return [rule, about, level === 'advice' ? '(advice)' : ''].filter(Boolean).join(' ');
}

/** `evidence`: `seq` of the exchanges that prove it. */
export function createFailure(
  rule: RunRuleId,
  message: string,
  evidence: readonly number[] = [],
  details: { requirement?: RequirementId; about?: string | undefined; situation?: Situation } = {},
): RunFinding {
  const { requirement = RUN_RULES[rule].requirement, about, situation } = details;
  return {
    ...{ rule, requirement, side: 'client', level: 'must', message, evidence: [...evidence], about },
    ...(situation && { situation }),
  };
}

/** Advice: the API does not require it of a client. */
export function createAdvice(...given: Parameters<typeof createFailure>): RunFinding {
  return { ...createFailure(...given), level: 'advice' };
}

export function classifyEvidence({ rule }: Pick<RunFinding, 'rule'>): RunEvidence {
  return findRunRule(rule)?.evidence ?? 'exchanges';
}

export function isCausedByLostEvent({ rule }: RunFinding): boolean {
  return findRunRule(rule)?.followsFromLostEvent === true;
}
