import { describe, expect, it } from 'vitest';
import type { CheckResult, Outcome } from '../conformance/causes/check-result.js';
import type { Side } from '../spec/requirement-types.js';
import { createReport } from '../test/support/report/reports.js';
import type { ProxyFlags } from './proxy.js';
import { computeProxyExitCode } from './run-proxy.js';

const check = (side: Side, outcome: Outcome): CheckResult => ({
  id: `${side}#${outcome}`,
  case: side,
  suite: side,
  side,
  title: 't',
  covers: [],
  outcome,
  message: '',
  evidence: [],
});

describe('the exit code of a report on both sides', () => {
  it.each<[client: Outcome, service: Outcome, codes: Record<ProxyFlags['failOn'], number>]>([
    ['passed', 'passed', { any: 0, client: 0, service: 0, none: 0 }],
    ['failed', 'passed', { any: 1, client: 1, service: 0, none: 0 }],
    ['passed', 'failed', { any: 1, client: 0, service: 1, none: 0 }],
    ['failed', 'inconclusive', { any: 1, client: 1, service: 3, none: 0 }],
    ['passed', 'inconclusive', { any: 3, client: 0, service: 3, none: 0 }],
    ['inconclusive', 'inconclusive', { any: 3, client: 3, service: 3, none: 3 }],
  ])('client %s, service %s', (client, service, codes) => {
    const judged = createReport([check('client', client), check('service', service)]);
    for (const [side, code] of Object.entries(codes))
      expect(computeProxyExitCode(judged, side as ProxyFlags['failOn']), side).toBe(code);
  });
});
