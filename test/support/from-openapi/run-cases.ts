import type { CheckResult } from '../../../conformance/causes/check-result.js';
import { type ConformResult, conform } from '../../../conformance/conform.js';
import { ExchangeRecorder, ExchangeStream } from '../../../conformance/service/http-client/exchanges.js';
import { HttpClient } from '../../../conformance/service/http-client/http-client.js';
import { mockTarget } from '../../../conformance/service/http-client/in-process.js';
import { NoResponse } from '../../../conformance/service/http-client/response.js';
import {
  type FetchFunction,
  realClock,
  type ServiceTarget,
} from '../../../conformance/service/http-client/target.js';
import { Cleanup } from '../../../conformance/service/runner/cleanup.js';
import { type RunResult, runCases } from '../../../conformance/service/runner/run.js';
import { Verdicts } from '../../../conformance/service/runner/verdicts.js';
import { ALLOWANCES, type TestCase } from '../../../conformance/service/test-case/test-case.js';
import { CaseEndError, TestContext } from '../../../conformance/service/test-case/test-context.js';
import { createRandom } from '../../../mock/generate/random.js';
import { Mock } from '../../../mock/mock.js';
import { FIXTURES } from '../../mutants/fixtures.js';

/** A response of the mock, which a fault or a variation may change. */
export interface ObservedResponse {
  method: string;
  /** Below `/api/v1`, without the query. */
  path: string;
  url: URL;
  headers: Headers;
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: bodies of every shape
  body: any;
}

/** Changes a request before it is sent. */
export type RequestChange = (request: { url: URL; init: RequestInit; headers: Headers }) => void;
export type ResponseChange = (
  seen: ObservedResponse,
) => Partial<Pick<ObservedResponse, 'status' | 'body'>> | undefined;

/** The `fetch` of a mock with one change. */
function interceptFetch(
  fetch: FetchFunction,
  { before, after }: { before?: RequestChange; after?: ResponseChange },
): FetchFunction {
  return async (input, given) => {
    const url = new URL(input);
    const headers = new Headers(given?.headers);
    const init: RequestInit = { ...given, headers };
    before?.({ url, init, headers });
    const response = await fetch(String(url), init);
    if (!after) return response;
    const text = await response.text();
    const path = url.pathname.replace('/api/v1', '');
    const seen: ObservedResponse = {
      method: init.method ?? 'GET',
      path,
      url,
      headers,
      status: response.status,
      body: JSON.parse(text),
    };
    const { status, body } = { ...seen, ...after(seen) };
    const type = { 'content-type': 'application/json' };
    return new Response(body === undefined ? null : JSON.stringify(body), { status, headers: type });
  };
}

/** Runs cases against a mock in virtual time, with all permissions and all rules. */
export async function runWithRules(
  cases: readonly TestCase[],
  {
    dialect = {},
    ...bend
  }: { dialect?: object | string; before?: RequestChange; after?: ResponseChange } = {},
): Promise<ConformResult> {
  const mock = new Mock({
    clock: 'manual',
    fixtures: FIXTURES,
    lightResponses: true,
    dialect: dialect as string,
  });
  await mock.ready;
  const target = mockTarget(mock, interceptFetch(mock.fetch, bend));
  return conform({ ...target, apiKey: 'main-key', cases, allow: ALLOWANCES, concurrency: 1, seed: 1 });
}

/** The same without rules: only the results of the cases. */
export async function runWithoutRules(
  cases: readonly TestCase[],
  { dialect = {}, ...bend }: { dialect?: object | string; before?: RequestChange; after?: ResponseChange },
): Promise<RunResult> {
  const mock = new Mock({
    clock: 'manual',
    fixtures: FIXTURES,
    lightResponses: true,
    dialect: dialect as string,
  });
  await mock.ready;
  const target = mockTarget(mock, interceptFetch(mock.fetch, bend));
  return runCases({
    target: { ...target, keys: { main: 'main-key' } },
    cases,
    rules: [],
    settings: { timeoutMs: 60_000, pollIntervalMs: 250, texts: {}, tools: undefined },
    allow: ALLOWANCES,
    concurrency: 1,
    runId: 'test',
  });
}

/** Runs cases against a server without the smoke check and without rules. */
export async function runWithoutSmokeCheck(
  cases: readonly TestCase[],
  fetch: FetchFunction,
): Promise<CheckResult[]> {
  const recorder = new ExchangeRecorder();
  const cleanup = new Cleanup();
  let now = 1_700_000_000_000;
  const clock = {
    ...realClock,
    now: () => now,
    async sleep(ms: number) {
      now += ms;
    },
  };
  const target: ServiceTarget = {
    baseUrl: 'http://null.test',
    fetch,
    clock,
    keys: { main: 'main-key' },
    requestTimeoutMs: 1000,
  };
  let names = 0;
  const checks: CheckResult[] = [];
  for (const testCase of cases) {
    const verdicts = new Verdicts();
    const t = new TestContext({
      target,
      client: new HttpClient(target, new ExchangeStream(recorder, [])),
      verdicts,
      cleanup,
      settings: { timeoutMs: 1000, pollIntervalMs: 100, texts: {}, tools: undefined },
      unique: () => `td-${++names}`,
      random: createRandom(1),
      observe: () => {},
      interruption: {},
    });
    try {
      await testCase.run(t);
    } catch (error) {
      if (!(error instanceof CaseEndError || error instanceof NoResponse)) throw error;
    }
    checks.push(...verdicts.createChecks(testCase, { kind: 'whole' }));
  }
  return checks;
}

/** `id: message` of the checks with this outcome. */
export function listMessages(checks: readonly CheckResult[], outcome: CheckResult['outcome']): string[] {
  return checks.filter((check) => check.outcome === outcome).map(({ id, message }) => `${id}: ${message}`);
}
