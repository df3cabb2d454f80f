import type { Level } from './requirement-types.js';

/** Signs before an outcome, before advice, and before a choice that is not the mock's default: the same in every output. */
export const SIGNS = {
  passed: '✓',
  failed: '✗',
  flaky: '≈',
  error: '!',
  inconclusive: '?',
  skipped: '-',
  known: '~',
  advice: 'ℹ',
  unusual: '*',
} as const;

export type Mark = keyof typeof SIGNS;

/** The mark of a finding. Advice is never a failure: no output gives it the sign, the color or the count of one. */
export const MARKS_OF_LEVELS = { must: 'failed', advice: 'advice' } as const satisfies Record<Level, Mark>;
