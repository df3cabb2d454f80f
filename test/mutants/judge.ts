import type { Shard } from '../../conformance/common/shard.js';
import { type ConformResult, conform } from '../../conformance/conform.js';
import { allCases } from '../../conformance/service/all-cases.js';
import { mockTarget } from '../../conformance/service/http-client/in-process.js';
import type { FetchFunction } from '../../conformance/service/http-client/target.js';
import { ALLOWANCES, type TestCase } from '../../conformance/service/test-case/test-case.js';
import { Mock } from '../../mock/mock.js';
import type { MockOptions } from '../../mock/options/mock-options.js';
import type { RequirementId } from '../../spec/generated/documents.js';
import { FIXTURES } from './fixtures.js';
import type { Mutant } from './mutant.js';

/** Keys that unlock every case. */
export const KEYS = { other: 'other-key', free: 'free-key', exhausted: 'exhausted-key' };
export const MAIN = 'main-key';

export interface JudgeOptions {
  /** All of the suite unless given. */
  cases?: readonly TestCase[];
  /** Ends the run with the first failure of a check that covers this. */
  until?: RequirementId;
  /** Generated sequences after the cases. */
  search?: number;
  retries?: number;
  /** Runs this part alone. */
  shard?: Shard;
  /** Of the mock; that of the mutant unless given. */
  dialect?: MockOptions['dialect'];
}

/** Holds the suite against a mock in virtual time; through a mutant, if one is given. */
export async function judgeMutant(
  mutant?: Partial<Mutant>,
  { cases, until, search, shard, retries, dialect = mutant?.dialect }: JudgeOptions = {},
): Promise<ConformResult> {
  const mock = new Mock({
    clock: 'manual',
    fixtures: FIXTURES,
    lightResponses: true,
    ...(dialect ? { dialect } : {}),
  });
  const enough = new AbortController();
  try {
    await mock.ready;
    const fetchMock: FetchFunction = (address, init) => mock.fetch(address, init);
    const target = mockTarget(mock, (address, init) => fetch(String(address), init));
    const fetch = mutant?.wrap?.(fetchMock, { now: target.clock.now }) ?? fetchMock;
    return await conform(
      {
        ...target,
        apiKey: MAIN,
        keys: KEYS,
        allow: ALLOWANCES,
        concurrency: 1,
        seed: 1,
        signal: enough.signal,
        ...(cases ? { cases } : {}),
        ...(search ? { search } : {}),
        retries,
        shard,
      },
      (event) => {
        const failed = event.type === 'check' && event.check.outcome === 'failed';
        if (failed && until !== undefined && event.check.covers.includes(until)) enough.abort();
      },
    );
  } finally {
    await mock.close();
  }
}

/** Those cases of the suite that cover a requirement: what has to notice a mutant that breaks it. */
export function listCases(requirement: RequirementId): readonly TestCase[] {
  return allCases.filter(({ covers }) => covers.includes(requirement));
}

/** The checks that failed. */
export function listFailed({ checks }: Pick<ConformResult, 'checks'>): ConformResult['checks'] {
  return checks.filter(({ outcome }) => outcome === 'failed');
}
