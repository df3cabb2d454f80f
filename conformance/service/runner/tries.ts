import { groupBy } from '../../../spec/lists.js';
import { readSeverity } from '../../causes/causes.js';
import { type CheckResult, findDecisive } from '../../causes/check-result.js';

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
