import { type Conformed, conform } from '../../conformance/conform.js';
import { allProbes } from '../../conformance/service/all-cases.js';
import { ALLOWANCES, type Probe } from '../../conformance/service/cases/test-case.js';
import { mockTarget } from '../../conformance/service/http-client/in-process.js';
import type { Fetch } from '../../conformance/service/http-client/target.js';
import { createMock } from '../../mock/create.js';
import type { RequirementId } from '../../spec/generated/documents.js';
import { FIXTURES } from './fixtures.js';
import type { Mutant } from './mutant.js';

/** Keys that unlock every probe. */
const KEYS = { other: 'other-key', free: 'free-key', exhausted: 'exhausted-key' };
const MAIN = 'main-key';

export interface Judging {
  /** All of the suite unless given. */
  probes?: readonly Probe[];
  /** Ends the run with the first failure of a check that covers this. */
  until?: RequirementId;
}

/** Holds the suite against a mock in virtual time; through a mutant, if one is given. */
export async function judged(mutant?: Partial<Mutant>, { probes, until }: Judging = {}): Promise<Conformed> {
  const { dialect } = mutant ?? {};
  const mock = createMock({ clock: 'manual', fixtures: FIXTURES, ...(dialect ? { dialect } : {}) });
  const enough = new AbortController();
  try {
    await mock.ready;
    const core: Fetch = (address, init) => mock.fetch(address, init);
    const fetch = mutant?.wrap?.(core, { now: () => mock.clock.now(MAIN) }) ?? core;
    return await conform(
      {
        ...mockTarget(mock, (address, init) => fetch(String(address), init)),
        api_key: MAIN,
        keys: KEYS,
        allow: ALLOWANCES,
        concurrency: 1,
        seed: 1,
        signal: enough.signal,
        ...(probes ? { probes } : {}),
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

/** Those probes of the suite that cover a requirement: what has to notice a mutant that breaks it. */
export function probesOf(requirement: RequirementId): readonly Probe[] {
  return allProbes.filter(({ covers }) => covers.includes(requirement));
}

/** The checks that failed. */
export function failures({ checks }: Pick<Conformed, 'checks'>): Conformed['checks'] {
  return checks.filter(({ outcome }) => outcome === 'failed');
}
