import { expect, it } from 'vitest';
import { judgeMutant, listFailed } from '../../../test/mutants/judge.js';

const SEQUENCES = 60;

// The model is configured with the choices that the suite detected before the search.
it.each(['default', 'bare-results', 'strict'])(
  'finds nothing wrong with a mock in the dialect %s',
  async (dialect) => {
    const report = await judgeMutant(undefined, {
      search: SEQUENCES,
      ...(dialect !== 'default' && { dialect }),
    });
    expect(listFailed(report).map(({ id, message }) => `${id}: ${message}`)).toEqual([]);
    expect(report.sequences).toMatchObject({ sequences: SEQUENCES });
  },
);
