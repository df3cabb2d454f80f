import { expect, it } from 'vitest';
import { createApi } from '../test-support/api.js';

const DAY_MS = 86_400_000;

it('every organisation has one or two proxies of its own, the same each time', async () => {
  const counts = new Set<number>();
  for (const key of ['a', 'b', 'c', 'd', 'e', 'f']) {
    const { r } = await createApi().send('GET', '/proxy', { key });
    expect((await createApi().send('GET', '/proxy', { key })).r).toEqual(r);
    counts.add(r.length);
  }
  expect([...counts].sort()).toEqual([1, 2]);
  const api = createApi();
  const mine = (await api.send('GET', '/proxy', { key: 'a' })).r[0];
  const theirs = (await api.send('GET', '/proxy', { key: 'b' })).r[0];
  expect(mine.id).not.toBe(theirs.id);
  expect((await api.send('PATCH', `/proxy/${mine.id}?auto_renew=false`, { key: 'b' })).status).toBe(404);
});

it('a proxy with renewal off is released at its expiry, one with renewal on moves on by the month', async () => {
  const api = createApi();
  const [first] = (await api.send('GET', '/proxy')).r;
  // Organisations of tests begin on 1 January 2026.
  expect(new Date(first.expires_at * 1000).toISOString()).toBe('2026-02-01T00:00:00.000Z');
  api.pass(31 * DAY_MS);
  const renewed = (await api.send('GET', '/proxy')).r.find((each: { id: string }) => each.id === first.id);
  expect(new Date(renewed.expires_at * 1000).toISOString()).toBe('2026-03-01T00:00:00.000Z');

  const changed = (await api.send('PATCH', `/proxy/${first.id}?auto_renew=false`)).r;
  expect(changed).toEqual({ ...renewed, auto_renew: false });
  expect((await api.send('GET', '/proxy')).r).toContainEqual(changed);
  api.pass(28 * DAY_MS - 1);
  expect((await api.send('GET', '/proxy')).r).toContainEqual(changed);
  api.pass(1);
  const left = (await api.send('GET', '/proxy')).r.map((each: { id: string }) => each.id);
  expect(left).not.toContain(first.id);
  expect((await api.send('PATCH', `/proxy/${first.id}?auto_renew=true`)).status).toBe(404);
});

it('renewal holds over years, and on to the end of short months', async () => {
  const api = createApi();
  const { account } = api.organisation();
  account.created_at = Date.UTC(2025, 0, 31, 12);
  const expiry = async () => new Date((await api.send('GET', '/proxy')).r[0].expires_at * 1000).toISOString();
  expect(await expiry()).toBe('2026-01-31T12:00:00.000Z');
  api.pass(31 * DAY_MS);
  expect(await expiry()).toBe('2026-02-28T12:00:00.000Z');
  api.pass(28 * DAY_MS);
  expect(await expiry()).toBe('2026-03-31T12:00:00.000Z');
  api.pass(365 * 100 * DAY_MS);
  expect(await expiry()).toMatch(/^2126-0/);
});
