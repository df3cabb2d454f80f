import type { Level } from './requirement-types.js';

/** What stands before an outcome, before advice, and before a choice that the mock does not make by itself: the same in every output. */
export const SIGNS = {
  passed: '✓',
  failed: '✗',
  flaky: '≈',
  error: '!',
  inconclusive: '?',
  skipped: '-',
  known: '~',
  advice: 'ⓘ',
  unusual: '*',
} as const;

export type Mark = keyof typeof SIGNS;

/** How a finding is marked. Advice fails nothing: no output gives it the sign, the color or the count of a failure. */
export const MARKS_OF_LEVELS = { must: 'failed', advice: 'advice' } as const satisfies Record<Level, Mark>;
