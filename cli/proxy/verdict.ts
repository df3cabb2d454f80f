import { decideVerdict, isTested, selectSide } from '../../conformance/report/verdict.js';
import type { ConformReport } from '../../conformance/service/runner/result.js';
import { EXIT } from '../exit-codes.js';
import type { FailOn } from '../proxy.js';

/** The exit code of a report on both sides: 1 for a violation of a side that counts, 3 where such a side showed nothing. */
export function computeProxyExitCode(report: ConformReport, failOn: FailOn): number {
  if (failOn === 'none') return isTested(report) ? EXIT.ok : EXIT.unreachable;
  const verdict = decideVerdict(failOn === 'any' ? report : selectSide(report, failOn));
  if (verdict === 'violations') return EXIT.violation;
  return verdict === 'conforms' ? EXIT.ok : EXIT.unreachable;
}
