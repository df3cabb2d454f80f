import { type RequirementId, requirements } from '../../../spec/generated/documents.js';
import type { Side } from '../../../spec/requirement-types.js';
import type { CheckResult, ConformReport } from './result.js';

/** Which of the rules about one side were put to the test. `whyNot` says why one was not. */
export function coverageOf(
  side: Side,
  checks: readonly CheckResult[],
  whyNot: (requirement: { id: string; unobservable?: string }) => string,
): ConformReport['requirements'] {
  const rules = requirements.filter((each) => each.side === side && each.level === 'must');
  const decided = new Set(
    checks
      .filter(({ outcome }) => outcome === 'passed' || outcome === 'failed')
      .flatMap(({ covers }) => covers),
  );
  const untested = rules
    .filter(({ id }) => !decided.has(id as RequirementId))
    .map((each) => ({ id: each.id, why: whyNot(each) }));
  return { total: rules.length, tested: rules.length - untested.length, untested };
}
