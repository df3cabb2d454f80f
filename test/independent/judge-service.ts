import { type ConformResult, conform } from '../../conformance/conform.js';
import type { ReplayedSequence } from '../../conformance/service/search/results.js';
import { ALLOWANCES, type TestCase } from '../../conformance/service/test-case/test-case.js';
import { KEYS, MAIN } from '../mutants/judge.js';

/** A service in process that does everything that takes time by the clock that it is given. */
export interface IndependentService {
  fetch(request: Request): Promise<Response>;
}

export type CreateService = (settings: {
  now(): number;
  variation?: string;
  fault?: string;
}) => IndependentService;

export interface JudgeServiceOptions {
  variation?: string;
  fault?: string;
  /** Generated sequences after the cases. */
  search?: number;
  seed?: number;
  /** All of the suite unless given. */
  cases?: readonly TestCase[];
  replay?: ReplayedSequence;
}

/** The beginning of the service's time, ms since 1970. */
const START = Date.UTC(2026, 0, 1);
/** What a request takes, ms. */
const LATENCY_MS = 3;

/** Holds the suite against the service in virtual time, which moves while the suite waits, and with each response. */
export async function judgeService(
  createService: CreateService,
  { variation, fault, search, seed = 1, cases, replay }: JudgeServiceOptions = {},
): Promise<ConformResult> {
  let now = START;
  const service = createService({
    now: () => now,
    ...(variation !== undefined && { variation }),
    ...(fault !== undefined && { fault }),
  });
  return conform({
    baseUrl: 'http://service.test',
    clock: {
      now: () => now,
      async sleep(ms) {
        now += Math.ceil(ms);
      },
    },
    requestTimeoutMs: Number.POSITIVE_INFINITY,
    async fetch(input, init) {
      const response = await service.fetch(new Request(input, init));
      now += LATENCY_MS;
      return response;
    },
    apiKey: MAIN,
    keys: KEYS,
    allow: ALLOWANCES,
    concurrency: 1,
    seed,
    ...(search !== undefined && { search }),
    ...(cases && { cases }),
    replay,
  });
}
