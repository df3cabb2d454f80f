import type { RequirementId } from '../../../spec/generated/documents.js';
import type { Finding } from '../../../spec/vocabulary.js';

/** What there is to say about one run of a client. */
export type RunFinding = Finding & {
  /** What it is about, by a name that is the same in every run: the step of a call or an action, or the name of a tool. */
  about?: string;
};

/** What it takes to say something. */
export interface Said {
  rule: string;
  requirement: RequirementId;
  message: string;
  /** `seq` of the exchanges that show it. */
  evidence?: readonly number[];
  about?: string | undefined;
}

export function failure(said: Said): RunFinding {
  return findingOf(said, 'must');
}

export function advice(said: Said): RunFinding {
  return findingOf(said, 'advice');
}

function findingOf(
  { rule, requirement, message, evidence = [], about }: Said,
  level: Finding['level'],
): RunFinding {
  const finding: RunFinding = { rule, requirement, side: 'client', level, message, evidence: [...evidence] };
  if (about !== undefined) finding.about = about;
  return finding;
}
