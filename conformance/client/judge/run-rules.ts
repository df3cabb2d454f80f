import type { RequirementId } from '../../../spec/generated/documents.js';
import type { Finding, Situation } from '../../../spec/vocabulary.js';
import { findRunRule, RUN_RULES, type RunEvidence, type RunRuleId } from '../../rules/run-rules.js';

/** The key of a finding in baselines and files: rule, subject, level. */
export function formatFailureKey({ rule, about, level }: Finding): string {
  return [rule, about, level === 'advice' ? '(advice)' : ''].filter(Boolean).join(' ');
}

/** `evidence`: `seq` of the exchanges that prove it. */
export function createFailure(
  rule: RunRuleId,
  message: string,
  evidence: readonly number[] = [],
  details: { requirement?: RequirementId; about?: string | undefined; situation?: Situation } = {},
): Finding {
  const { requirement = RUN_RULES[rule].requirement, about, situation } = details;
  return {
    ...{ rule, requirement, side: 'client', level: 'must', message, evidence: [...evidence], about },
    ...(situation && { situation }),
  };
}

/** Advice: the API does not require it of a client. */
export function createAdvice(...given: Parameters<typeof createFailure>): Finding {
  return { ...createFailure(...given), level: 'advice' };
}

export function classifyEvidence({ rule }: Pick<Finding, 'rule'>): RunEvidence {
  return findRunRule(rule)?.evidence ?? 'exchanges';
}

export function isCausedByLostEvent({ rule }: Finding): boolean {
  return findRunRule(rule)?.followsFromLostEvent === true;
}
