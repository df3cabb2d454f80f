import { type RequirementId, requirements } from '../../spec/generated/documents.js';
import type { CheckResult, ConformReport } from '../service/result.js';

/** Which of the rules about clients were put to the test. */
export function coverageOf(checks: readonly CheckResult[]): ConformReport['requirements'] {
  const rules = requirements.filter(({ side, level }) => side === 'client' && level === 'must');
  const decided = new Set(
    checks
      .filter(({ outcome }) => outcome === 'passed' || outcome === 'failed')
      .flatMap(({ covers }) => covers),
  );
  const untested = rules
    .filter(({ id }) => !decided.has(id as RequirementId))
    .map(({ id }) => ({ id, why: 'no scenario that was played gave the occasion' }));
  return { total: rules.length, tested: rules.length - untested.length, untested };
}
