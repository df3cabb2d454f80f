import { describe, expect, it } from 'vitest';
import { conform } from '../../conformance/conform.js';
import { ALLOWANCES } from '../../conformance/service/test-case/test-case.js';
import { nullServices } from './null-services.js';

/** Time passes only when somebody sleeps. */
function clock() {
  let now = Date.UTC(2026, 0, 1);
  return {
    now: () => now,
    async sleep(ms: number) {
      now += ms;
    },
  };
}

describe('a server that is no service', () => {
  it.each(Object.entries(nullServices))('%s passes no check', async (_, fetch) => {
    const report = await conform({
      baseUrl: 'http://null.test',
      apiKey: 'main-key',
      keys: { other: 'other-key', free: 'free-key', exhausted: 'exhausted-key' },
      allow: ALLOWANCES,
      fetch,
      clock: clock(),
      requestTimeoutMs: 20,
      seed: 1,
    });
    expect(report.summary.passed).toBe(0);
    expect(report.unreachable || report.summary.failed > 0).toBe(true);
    expect(report.stopped).toBeTypeOf('string');
    // It is recognised with the first requests.
    expect(report.exchanges.length).toBeLessThan(10);
    expect(report.left).toEqual([]);
  });
});
