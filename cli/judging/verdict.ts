import { isTested } from '../../conformance/report/verdict.js';
import type { ConformReport } from '../../conformance/service/runner/result.js';
import { EXIT } from '../exit-codes.js';

/** What is beside the checks and decides too. */
export interface Circumstances {
  strict: boolean;
  /** The exit code of the signal that ended it. */
  interrupted?: number;
}

/** A run's report; `faults`: checks that failed themselves. */
export type Judged = ConformReport & { faults: readonly string[] };

/** The exit code of a run. It is 0 only if a check passed or is a known failure. */
export function exitCodeOf(report: Judged, { strict, interrupted }: Circumstances): number {
  if (interrupted !== undefined) return interrupted;
  const { inconclusive } = report.summary;
  const tested = isTested(report);
  const unknown = report.checks.filter((check) => check.outcome === 'failed' && check.known === undefined);
  // A baseline that fits no failure says nothing where nothing was tested.
  const stale = tested && (report.baseline?.problems.length ?? 0) > 0;
  // What a check that crashed would have shown is not known: the verdict on the target is not whole.
  if (report.faults.length > 0 || report.checks.some(({ outcome }) => outcome === 'error')) return EXIT.fault;
  if (unknown.length > 0 || stale) return EXIT.violation;
  if (report.stopped !== undefined) return EXIT.unreachable;
  if (strict && inconclusive > 0) return EXIT.violation;
  return tested ? EXIT.ok : EXIT.unreachable;
}
