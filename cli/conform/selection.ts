import { type ConformOptions, planOf } from '../../conformance/conform.js';
import { nearest } from '../../spec/nearest.js';
import { UsageError } from '../usage-error.js';

type FlagSelection = Pick<ConformOptions, 'suites' | 'only' | 'lacks'>;

/** Throws UsageError for a glob that fits no check, and for a selection that leaves none. */
export function checkSelection(selection: FlagSelection): void {
  for (const glob of selection.only ?? []) {
    if (planOf({ only: [glob] }).cases.length > 0) continue;
    const all = planOf({}).cases;
    const checks = all.flatMap((testCase) => testCase.checks);
    const suites = [...new Set(all.map(({ suite }) => `${suite}/*`))];
    const requirements = new Set(checks.map(({ requirement }) => `*#${requirement}`));
    const ids = [...all, ...checks].map(({ id }) => id);
    const meant = nearest(glob, [...suites, ...requirements, ...ids]);
    throw new UsageError(
      `--only: no check fits "${glob}"; ${meant ? `did you mean "${meant}"?` : `try one of ${suites.join(', ')}; --plan lists all checks.`}`,
    );
  }
  if (planOf(selection).cases.length > 0) return;
  const narrow = [
    selection.suites && `--suite ${selection.suites.join(', ')}`,
    selection.only && `--only ${selection.only.join(', ')}`,
    selection.lacks && `lacks: ${selection.lacks.join(', ')}`,
  ];
  throw new UsageError(
    `no check is left with ${narrow.filter(Boolean).join(' and ')}: ask for less narrow ones.`,
  );
}
