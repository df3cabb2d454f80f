import { type ConformResult, conform } from '../../conformance/conform.js';
import { mockTarget } from '../../conformance/service/http-client/in-process.js';
import type { FetchFunction } from '../../conformance/service/http-client/target.js';
import type { SequenceFile } from '../../conformance/service/search/reproduce/sequence-file.js';
import { ALLOWANCES } from '../../conformance/service/test-case/test-case.js';
import { Mock } from '../../mock/mock.js';
import { FIXTURES } from './fixtures.js';

/** A search in virtual time against a mock; through a faulty service around it, if one is given. */
export async function searchMock(
  search: number,
  wrap: (fetch: FetchFunction) => FetchFunction = (fetch) => fetch,
  replay?: SequenceFile,
  lacks: readonly string[] = [],
  seed = 1,
): Promise<ConformResult> {
  const mock = new Mock({ clock: 'manual', fixtures: FIXTURES, lightResponses: true });
  await mock.ready;
  const faulty = wrap((address, init) => mock.fetch(address, init));
  try {
    return await conform({
      ...mockTarget(mock, (address, init) => faulty(String(address), init)),
      apiKey: 'main-key',
      keys: { other: 'other-key', free: 'free-key', exhausted: 'exhausted-key' },
      allow: ALLOWANCES,
      cases: [],
      concurrency: 1,
      seed,
      search,
      replay,
      lacks,
    });
  } finally {
    await mock.close();
  }
}
