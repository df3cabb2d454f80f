import type { Outcome } from '../../../conformance/causes/check-result.js';
import { readRequestTarget } from '../../../conformance/conversation/request-target.js';
import type { Rule } from '../../../conformance/rules/rule.js';
import { serviceRules } from '../../../conformance/rules/service-rules.js';
import { resourceCases } from '../../../conformance/service/all-cases.js';
import { mockTarget } from '../../../conformance/service/http-client/in-process.js';
import type { FetchFunction } from '../../../conformance/service/http-client/target.js';
import { type RunResult, runCases } from '../../../conformance/service/runner/run.js';
import type { Allowance, KeyName, TestCase } from '../../../conformance/service/test-case/test-case.js';
import type { Fixtures } from '../../../mock/fixtures/fixtures.js';
import { Mock } from '../../../mock/mock.js';
import type { Choices } from '../../../mock/options/mock-options.js';
import { type OperationId, operations } from '../../../spec/generated/operations.js';
import { FIXTURES } from '../../mutants/fixtures.js';

const KEYS: Record<KeyName, string> = {
  main: 'main-key',
  other: 'other-key',
  free: 'free-key',
  exhausted: 'exhausted-key',
};

export type FetchInterceptor = (
  request: { operation: OperationId; url: string; init: RequestInit },
  pass: FetchFunction,
) => Promise<Response>;

interface CaseRunOptions {
  dialect?: Choices | string;
  fixtures?: Fixtures;
  bend?: FetchInterceptor;
  cases?: readonly TestCase[];
  rules?: readonly Rule[];
  keys?: Partial<typeof KEYS>;
  allow?: readonly Allowance[];
}

interface CaseRunResult extends RunResult {
  mock: Mock;
  /** Ids of checks by outcome. */
  ids: Record<Outcome, string[]>;
}

/** Runs cases of resources against the mock in virtual time, with all keys and all permissions. */
export async function runAgainstMock(options: CaseRunOptions = {}): Promise<CaseRunResult> {
  const { bend, dialect = {}, fixtures = FIXTURES, keys = KEYS } = options;
  const mock = new Mock({ clock: 'manual', fixtures, dialect, lightResponses: true });
  await mock.ready;
  const fetch: FetchFunction = (url, init = {}) => {
    const operation = findOperation(url, init);
    return bend && operation ? bend({ operation, url, init }, mock.fetch) : mock.fetch(url, init);
  };
  const result = await runCases({
    target: { ...mockTarget(mock, fetch), keys: { main: KEYS.main, ...keys } },
    cases: options.cases ?? resourceCases,
    rules: options.rules ?? serviceRules,
    settings: {
      timeoutMs: 60_000,
      longestWaitMs: Number.POSITIVE_INFINITY,
      pollIntervalMs: 250,
      texts: {},
      tools: undefined,
    },
    allow: options.allow ?? ['billing', 'organisation', 'destructive'],
    concurrency: 1,
    runId: '1a2b3c',
  });
  const listIds = (wanted: Outcome) =>
    result.checks.filter(({ outcome }) => outcome === wanted).map(({ id }) => id);
  const ids = {
    passed: listIds('passed'),
    failed: listIds('failed'),
    flaky: listIds('flaky'),
    error: listIds('error'),
    inconclusive: listIds('inconclusive'),
    skipped: listIds('skipped'),
  };
  return { ...result, mock, ids };
}

export function selectCases(...ids: string[]): TestCase[] {
  return resourceCases.filter(({ id }) => ids.includes(id));
}

function findOperation(url: string, init: RequestInit): OperationId | undefined {
  const request = { method: init.method ?? 'GET', url, headers: {}, at: 0 };
  return readRequestTarget({ seq: 1, kind: 'x', organisation: '', request }).operation?.id;
}

/** A success of the operation with a minimal body. */
export function createEmptySuccess(operation: OperationId): Response {
  return Response.json(operations[operation].body2xx === 'bare' ? {} : { r: true });
}
