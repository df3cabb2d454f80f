import type { RequirementId } from '../../../spec/generated/documents.js';
import type { Finding } from '../../../spec/vocabulary.js';
import type { Situation } from '../../causes/cause.js';
import { RUN_RULES, type RunEvidence, type RunRuleId, runRule } from '../../rules/run-rules.js';

/** A rule that a run breaks, or advice. */
export type RunFinding = Finding & {
  /** A name that is the same in every run: the step of a call or an action, or the name of a tool. */
  about?: string | undefined;
  /** Of a client that gave up, hung or died: where it was. */
  situation?: Situation;
};

/** `evidence`: `seq` of the exchanges that show it. */
export function failure(
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
export function advice(...given: Parameters<typeof failure>): RunFinding {
  return { ...failure(...given), level: 'advice' };
}

/** What the finding was judged by. */
export function evidenceOf({ rule }: Pick<RunFinding, 'rule'>): RunEvidence {
  return runRule(rule)?.evidence ?? 'exchanges';
}

export function followsFromLostEvent({ rule }: RunFinding): boolean {
  return runRule(rule)?.followsFromLostEvent === true;
}
