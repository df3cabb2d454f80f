import { expect, it } from 'vitest';
import { createApi } from '../../test/support/mock/api.js';
import { applyFixtures } from '../fixtures/apply-fixtures.js';
import type { Fixtures } from '../fixtures/fixtures.js';

const DAY_MS = 86_400_000;

/** The API of a mock in which the organisation of the key `test` has proxies. */
function withProxy(...proxies: NonNullable<Fixtures['proxies']>) {
  const api = createApi();
  applyFixtures(api.openOrganisation(), { proxies: proxies.length > 0 ? proxies : [{ country: 'DE' }] });
  return api;
}

it('a new organisation has only the proxies of its own fixtures', async () => {
  expect((await createApi().send('GET', '/proxy')).r).toEqual([]);
  const api = withProxy({ country: 'DE' }, { country: 'US', auto_renew: false });
  const mine = (await api.send('GET', '/proxy')).r;
  expect(mine).toMatchObject([
    { country: 'DE', auto_renew: true },
    { country: 'US', auto_renew: false },
  ]);
  expect((await api.send('GET', '/proxy', { key: 'other' })).r).toEqual([]);
  expect((await api.send('PATCH', `/proxy/${mine[0].id}?auto_renew=false`, { key: 'other' })).status).toBe(
    404,
  );
});

it('a proxy without renewal is released at its expiry, one with renewal is extended by a month', async () => {
  const api = withProxy();
  const [first] = (await api.send('GET', '/proxy')).r;
  // Organisations of tests start on 1 January 2026.
  expect(new Date(first.expires_at * 1000).toISOString()).toBe('2026-02-01T00:00:00.000Z');
  api.advance(31 * DAY_MS);
  const renewed = (await api.send('GET', '/proxy')).r.find((each: { id: string }) => each.id === first.id);
  expect(new Date(renewed.expires_at * 1000).toISOString()).toBe('2026-03-01T00:00:00.000Z');

  const changed = (await api.send('PATCH', `/proxy/${first.id}?auto_renew=false`)).r;
  expect(changed).toEqual({ ...renewed, auto_renew: false });
  expect((await api.send('GET', '/proxy')).r).toContainEqual(changed);
  api.advance(28 * DAY_MS - 1);
  expect((await api.send('GET', '/proxy')).r).toContainEqual(changed);
  api.advance(1);
  const remaining = (await api.send('GET', '/proxy')).r.map((each: { id: string }) => each.id);
  expect(remaining).not.toContain(first.id);
  expect((await api.send('PATCH', `/proxy/${first.id}?auto_renew=true`)).status).toBe(404);
});

it('renewal works over years and at the end of short months', async () => {
  const api = withProxy({ country: 'DE', ago: '8028h' });
  const expiry = async () => new Date((await api.send('GET', '/proxy')).r[0].expires_at * 1000).toISOString();
  expect(await expiry()).toBe('2026-01-31T12:00:00.000Z');
  api.advance(31 * DAY_MS);
  expect(await expiry()).toBe('2026-02-28T12:00:00.000Z');
  api.advance(28 * DAY_MS);
  expect(await expiry()).toBe('2026-03-31T12:00:00.000Z');
  api.advance(365 * 100 * DAY_MS);
  expect(await expiry()).toMatch(/^2126-0/);
});
