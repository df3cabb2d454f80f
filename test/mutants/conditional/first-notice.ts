import { mockTarget } from '../../../conformance/service/http-client/in-process.js';
import { search } from '../../../conformance/service/search/search.js';
import { ALLOWANCES } from '../../../conformance/service/test-case/test-case.js';
import { Mock } from '../../../mock/mock.js';
import { FIXTURES } from '../fixtures.js';
import { judgeMutant, KEYS, listCases, listFailed, MAIN } from '../judge.js';
import type { ConditionalMutant } from '../mutant.js';

/** What notices a mutant under the requirement that it breaks. */
export interface Notice {
  by: 'suite' | 'search';
  /** The check that fails, or what the sequence shows. */
  what: string;
  /** The number of the sequence. */
  sequence?: number;
}

/** The suite first: the cases of the requirement, or all of them. Then so many generated sequences, up to the first that shows it. */
export async function findFirstNotice(
  mutant: ConditionalMutant,
  sequences: number,
  { isWholeSuite = false } = {},
): Promise<Notice | undefined> {
  const { requirement } = mutant;
  const cases = isWholeSuite ? {} : { cases: listCases(requirement) };
  const report = await judgeMutant(mutant, { ...cases, until: requirement });
  const check = listFailed(report).find(({ covers }) => covers.includes(requirement));
  if (check) return { by: 'suite', what: check.id };
  return searchFor(mutant, sequences);
}

/** In virtual time, in process. */
export async function searchFor(
  { requirement, wrap }: ConditionalMutant,
  sequences: number,
): Promise<Notice | undefined> {
  const mock = new Mock({ clock: 'manual', fixtures: FIXTURES, lightResponses: true });
  const stop = new AbortController();
  let notice: Notice | undefined;
  try {
    await mock.ready;
    const target = mockTarget(mock, (address, init) => fetch(String(address), init));
    const fetch = wrap((address, init) => mock.fetch(address, init), { now: target.clock.now });
    await search({
      target: { ...target, keys: { ...KEYS, main: MAIN } },
      dialect: {},
      sequences,
      seed: 1,
      allow: ALLOWANCES,
      runId: 'conditional',
      longestWaitMs: Number.POSITIVE_INFINITY,
      signal: stop.signal,
      onFinding(finding, sequence) {
        if (finding.requirement !== requirement || notice) return;
        notice = { by: 'search', what: finding.message, sequence };
        stop.abort();
      },
    });
    return notice;
  } finally {
    await mock.close();
  }
}
