import { expect, it } from 'vitest';
import { createSearchReport } from '../../report/search-report.js';
import { explore } from './explore.js';

it('no scenario passes with a client that does nothing', async () => {
  const explored = await explore({
    client: { kind: 'function', run: async () => ({ error: 'no ideas' }) },
    schedules: 40,
    deviations: 1,
  });
  const context = { client: 'idle', started: new Date(0), again: () => '', file: () => 'idle.yaml' };
  const { checks, failures } = createSearchReport(explored, context);
  expect(checks.map(({ outcome }) => outcome)).not.toContain('passed');
  expect(failures!.flatMap(({ scenarios }) => scenarios)).toEqual(expect.arrayContaining(explored.scenarios));
});
