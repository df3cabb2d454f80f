import { expect, it } from 'vitest';
import { Mock } from '../../../mock/mock.js';
import { FIXTURES } from '../../../test/mutants/fixtures.js';
import { searchMock } from '../../../test/mutants/search-mock.js';

it('reports a nondeterministic service', async () => {
  let count = 0;
  const report = await searchMock(16, (fetch) => async (address, init) => {
    const response = await fetch(address, init);
    const isList = new URL(String(address)).pathname.endsWith('/profile') && init?.method === 'GET';
    // Two of every seven lists are empty.
    return isList && response.ok && count++ % 7 > 4 ? Response.json({ r: [] }) : response;
  });
  const messages = report.checks.filter(({ outcome }) => outcome === 'failed').map((each) => each.message);
  expect(messages).toContainEqual(
    expect.stringContaining('The service is nondeterministic: the same sequence'),
  );
});

it('reports replicas without shared state', async () => {
  const other = new Mock({ clock: 'manual', fixtures: FIXTURES, seed: 2 });
  let count = 0;
  const report = await searchMock(10, (fetch) => (address, init) => {
    // The first requests check whether a service exists at all.
    return count++ > 40 && count % 3 === 0 ? other.fetch(address, init) : fetch(address, init);
  });
  await other.close();
  const messages = report.checks.filter(({ outcome }) => outcome === 'failed').map((each) => each.message);
  expect(messages).toContainEqual(expect.stringContaining('The service loses state between requests'));
});

it('names the sequence after which a service is gone', async () => {
  let isGone = false;
  const report = await searchMock(60, (fetch) => async (address, init) => {
    isGone ||= init?.method === 'DELETE' && /\/v1\/profile\//.test(String(address));
    if (isGone)
      throw new TypeError('fetch failed', {
        cause: Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }),
      });
    return fetch(address, init);
  });
  expect(report.stopped).toMatch(
    /^DELETE \/api\/v1\/profile\/\S+ got no response: ECONNREFUSED.* in sequence \d+: (?:GET|POST) /,
  );
});
