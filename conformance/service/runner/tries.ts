import { readSeverity } from '../../causes/causes.js';
import { groupBy } from '../../common/group-by.js';
import { type CheckResult, findDecisive } from './result.js';

/** What one try of a test case or a scenario came to. */
export interface TryResult {
  checks: readonly CheckResult[];
}

/** The outcome of tries. */
export interface MergedTries {
  checks: CheckResult[];
  /** Another try may show a failure to be flaky. */
  isOpen: boolean;
}

/**
 * One result for each check of several tries. A failure is flaky if another try shows that the same was kept; a leak is a failure
 * however rare it is. `isKept`: whether a try shows what the failed check missed.
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

/** `retries`: what was sent or played again. */
export interface AttemptCounts {
  failed: number;
  tries: number;
  retries: number;
}

/** A failure as a check that failed in some of its tries. */
export function flakyCheck<T extends Pick<CheckResult, 'message'>>(
  failure: T,
  { failed, tries, retries }: AttemptCounts,
): T & Pick<CheckResult, 'outcome' | 'retries'> {
  const message = `failed in ${failed} of ${tries} tries: ${failure.message}`;
  return { ...failure, outcome: 'flaky', retries, message };
}
