import type { RequirementId } from '../../../spec/generated/documents.js';
import type { Finding } from '../../../spec/vocabulary.js';
import type { Situation } from '../../causes/cause.js';
import { findRunRule, RUN_RULES, type RunEvidence, type RunRuleId } from '../../rules/run-rules.js';

/** A rule that a run breaks, or advice. */
export type RunFinding = Finding & {
  /** A name that is the same in every run: the step of a call or an action, or the name of a tool. */
  about?: string | undefined;
  /** Of a client that gave up, hung or died: where it was. */
  situation?: Situation;
};

/** `evidence`: `seq` of the exchanges that show it. */
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

/** The API does not oblige a client to it. */
export function createAdvice(...given: Parameters<typeof createFailure>): RunFinding {
  return { ...createFailure(...given), level: 'advice' };
}

/** What the finding was judged by. */
export function classifyEvidence({ rule }: Pick<RunFinding, 'rule'>): RunEvidence {
  return findRunRule(rule)?.evidence ?? 'exchanges';
}

export function isCausedByLostEvent({ rule }: RunFinding): boolean {
  return findRunRule(rule)?.followsFromLostEvent === true;
}
