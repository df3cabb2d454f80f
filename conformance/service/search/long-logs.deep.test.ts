import { expect, it } from 'vitest';
import { searchMock } from '../../../test/mutants/search-mock.js';

it('sends more than 1,000 actions to one session within 300 sequences', async () => {
  const actions = new Map<string, number>();
  await searchMock(300, (fetch) => (address, init) => {
    const task = /\/task\/([^/]+)\/event$/.exec(String(address))?.[1];
    if (task !== undefined) actions.set(task, (actions.get(task) ?? 0) + 1);
    return fetch(address, init);
  });
  expect(Math.max(...actions.values())).toBeGreaterThan(1000);
});
