import { expect, it } from 'vitest';
import { createRandom } from '../../../mock/generate/random.js';
import { Mock } from '../../../mock/mock.js';
import { openPoints } from '../../../spec/generated/open-points.js';
import { FIXTURES } from '../../../test/mutants/fixtures.js';
import { KEYS, MAIN } from '../../../test/mutants/judge.js';
import { mockTarget } from '../http-client/in-process.js';
import { ALLOWANCES } from '../test-case/test-case.js';
import { describeSequence } from './results.js';
import { search } from './search.js';

/** Seeds for which the search once reported a false failure. */
const ONCE_FOUND = [53, 143, 272, 286, 381, 477, 557];
/** `MIXTURES=200` runs the first 200: 7,000 sequences take some minutes. */
const MIXTURES = process.env.MIXTURES
  ? Array.from({ length: Number(process.env.MIXTURES) }, (_, index) => index + 1)
  : ONCE_FOUND;
const SEQUENCES = 35;

/** Decides a third of the open points at random. */
function mixture(seed: number): Record<string, string> {
  const random = createRandom(`mixture ${seed}`);
  const dialect: Record<string, string> = {};
  for (const { id, ...point } of openPoints)
    if (point.kind === 'choice' && random.next() < 0.3) dialect[id] = random.pick(Object.keys(point.choices));
  return dialect;
}

it.each(MIXTURES)('finds nothing wrong with a mock that makes the choices of mixture %i', async (seed) => {
  const dialect = mixture(seed);
  const mock = new Mock({ clock: 'manual', fixtures: FIXTURES, dialect, lightResponses: true });
  try {
    await mock.ready;
    const { found, stopped, sequences } = await search({
      target: { ...mockTarget(mock), keys: { ...KEYS, main: MAIN } },
      dialect,
      sequences: SEQUENCES,
      seed,
      allow: ALLOWANCES,
      runId: 'mixture',
      longestWaitMs: Number.POSITIVE_INFINITY,
    });
    expect(found.map(({ key, sequence }) => `${key}: ${describeSequence(sequence)}`)).toEqual([]);
    expect({ stopped, sequences }).toEqual({ stopped: undefined, sequences: SEQUENCES });
  } finally {
    await mock.close();
  }
});
