import { expect, it } from 'vitest';
import { searchReport } from '../../report/search-report.js';
import { explore } from './explore.js';

it('no scenario passes with a client that does nothing', async () => {
  const explored = await explore({
    client: { kind: 'function', run: async () => ({ error: 'no ideas' }) },
    schedules: 40,
    deviations: 1,
  });
  const { checks } = searchReport(explored, { client: 'idle', started: new Date(0), again: () => '' });
  expect(checks.map(({ outcome }) => outcome)).not.toContain('passed');
  expect(checks.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id.split('#')[0])).toEqual(
    expect.arrayContaining(explored.scenarios),
  );
});
