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

/** `MIXTURES=200` runs more of them: 7,000 sequences take some minutes. */
const MIXTURES = Number(process.env.MIXTURES ?? 6);
const SEQUENCES = 35;

/** A third of the open points decided at random. */
function mixture(seed: number): Record<string, string> {
  const random = createRandom(`mixture ${seed}`);
  const dialect: Record<string, string> = {};
  for (const { id, ...point } of openPoints)
    if (point.kind === 'choice' && random.next() < 0.3) dialect[id] = random.pick(Object.keys(point.choices));
  return dialect;
}

it.each(Array.from({ length: MIXTURES }, (_, index) => index + 1))(
  'finds nothing wrong with a mock that makes the choices of mixture %i',
  async (seed) => {
    const dialect = mixture(seed);
    const mock = new Mock({ clock: 'manual', fixtures: FIXTURES, dialect, lightResponses: true });
    try {
      await mock.ready;
      const { found, stopped, sequences } = await search({
        target: { ...mockTarget(mock), keys: { ...KEYS, main: MAIN }, requestTimeoutMs: 60_000 },
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
  },
);
