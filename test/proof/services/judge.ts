import { type ConformResult, conform } from '../../../conformance/conform.js';
import { LACKS } from './base/resources.js';
import type { Service } from './base/service.js';

/** Holds the suite against a service, in time of its own. */
export function judgeService(service: Service): Promise<ConformResult> {
  let now = 1_800_000_000_000;
  const clock = {
    now: () => now,
    sleep: async (ms: number) => {
      now += Math.ceil(ms);
    },
  };
  return conform({
    baseUrl: 'http://service.test',
    apiKey: 'main-key',
    keys: { other: 'other-key' },
    fetch: service(clock.now).handle,
    clock,
    requestTimeoutMs: Number.POSITIVE_INFINITY,
    lacks: LACKS,
    concurrency: 1,
    seed: 1,
  });
}
