import { describe, expect, it } from 'vitest';
import type { CheckResult, Outcome } from '../../conformance/causes/check-result.js';
import type { ConformResult } from '../../conformance/conform.js';
import { createReport } from '../../test/support/report/reports.js';
import { computeExitCode } from './report-run.js';

/** A run whose checks came out like this; `known` is a failure of the baseline. */
function run(outcomes: (Outcome | 'known')[], more: Partial<ConformResult> = {}): ConformResult {
  const checks = outcomes.map(
    (outcome, index): CheckResult => ({
      id: `polling/p${index}#POLL-02`,
      case: `polling/p${index}`,
      suite: 'polling',
      title: 't',
      covers: ['POLL-02'],
      outcome: outcome === 'known' ? 'failed' : outcome,
      message: '',
      evidence: [],
      ...(outcome === 'known' ? { known: { reason: 'r', expires: '2099-01-01' } } : {}),
    }),
  );
  return {
    ...createReport(checks),
    unreachable: false,
    left: [],
    faults: [],
    ...more,
  };
}

const stale = { file: 'f', known: 0, problems: ['expired'] };

describe('the exit code of a run', () => {
  it.each<[string, number, ConformResult, { strict?: boolean; interrupted?: number }]>([
    ['everything passed', 0, run(['passed']), {}],
    ['some is inconclusive', 0, run(['passed', 'inconclusive', 'skipped']), {}],
    ['some is inconclusive, strictly', 1, run(['passed', 'inconclusive']), { strict: true }],
    ['some is skipped, strictly', 0, run(['passed', 'skipped']), { strict: true }],
    ['a failure', 1, run(['passed', 'failed']), {}],
    ['a known failure', 0, run(['passed', 'known']), {}],
    ['only known failures', 0, run(['known']), {}],
    ['a known and another one', 1, run(['known', 'failed']), {}],
    ['a baseline that is out of date', 1, run(['passed'], { baseline: stale }), {}],
    ['the same where nothing was tested', 3, run(['inconclusive'], { baseline: stale }), {}],
    ['nothing', 3, run([]), {}],
    ['nothing but inconclusive ones', 3, run(['inconclusive', 'skipped']), {}],
    ['the same, strictly', 1, run(['inconclusive', 'skipped']), { strict: true }],
    ['nothing, strictly', 3, run([]), { strict: true }],
    ['nothing but skipped ones, strictly', 3, run(['skipped']), { strict: true }],
    [
      'nothing but inconclusive ones at a target that is not there, strictly',
      3,
      run(['inconclusive'], { unreachable: true, stopped: 'refused' }),
      { strict: true },
    ],
    ['a target that went away', 3, run(['passed'], { stopped: 'gone' }), {}],
    ['one that broke a rule before', 1, run(['failed'], { stopped: 'gone' }), {}],
    ['an internal error', 4, run(['passed'], { faults: ['p: TypeError'] }), {}],
    ['an internal error beside a failure', 4, run(['failed'], { faults: ['p: TypeError'] }), {}],
    ['a check that crashed', 4, run(['passed', 'error']), {}],
    ['nothing but a check that crashed', 4, run(['error']), {}],
    ['Ctrl-C', 130, run(['failed'], { stopped: 'interrupted' }), { interrupted: 130 }],
  ])('%s: %i', (_, code, report, { strict = false, interrupted }) => {
    expect(computeExitCode(report, { strict, interrupted })).toBe(code);
  });
});
