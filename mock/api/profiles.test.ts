import { describe, expect, it } from 'vitest';
import { BROWSER_SESSION_LIFETIME_MS } from '../../spec/vocabulary.js';
import { createApi } from '../../test/support/mock/api.js';

describe('profiles', () => {
  it('are created, listed on both paths, and removed by deletion', async () => {
    const api = createApi();
    const created = await api.send('POST', '/profile', { json: { id: 'shop' } });
    expect(created.r).toMatchObject({ id: 'shop', last_saved_at: null });
    expect((await api.send('GET', '/profile')).r).toEqual([created.r]);
    expect((await api.send('GET', '/browser/profile')).r).toEqual({ profile_ids: ['shop'] });
    expect((await api.send('GET', '/profile', { key: 'other' })).r).toEqual([]);
    expect((await api.send('DELETE', '/profile/shop', { key: 'other' })).status).toBe(404);
    expect((await api.send('DELETE', '/profile/shop')).body).toEqual({ r: true });
    expect((await api.send('GET', '/profile')).r).toEqual([]);
    expect((await api.send('DELETE', '/profile/shop')).status).toBe(404);
  });

  it('are deleted on the deprecated path too', async () => {
    const api = createApi();
    await api.send('POST', '/profile', { json: { id: 'a/b' } });
    expect((await api.send('DELETE', '/browser/profile/a%2Fb')).status).toBe(200);
    expect((await api.send('DELETE', '/browser/profile/a%2Fb')).status).toBe(404);
    expect((await api.send('GET', '/profile')).r).toEqual([]);
  });

  it.each([{}, { id: null }])('get an id when none is given: %j', async (json) => {
    const api = createApi();
    const first = (await api.send('POST', '/profile', { json })).r.id;
    const second = (await api.send('POST', '/profile', { json })).r.id;
    expect(first).toMatch(/^[0-9a-f-]{36}$/);
    expect(second).not.toBe(first);
  });

  it('respond to a second creation according to the dialect', async () => {
    for (const [choice, status] of [
      ['409', 409],
      ['200', 200],
    ] as const) {
      const api = createApi({ dialect: { 'profile.duplicate': choice } });
      await api.send('POST', '/profile', { json: { id: 'p' } });
      expect((await api.send('POST', '/profile', { json: { id: 'p' } })).status).toBe(status);
      expect((await api.send('GET', '/profile')).r).toHaveLength(1);
    }
  });

  it.each(['', 'x'.repeat(257)])('refuse an id that cannot be part of a path', async (id) => {
    expect((await createApi().send('POST', '/profile', { json: { id } })).status).toBe(422);
  });

  it('are saved by the tasks that use them, unless they are read-only', async () => {
    const api = createApi();
    for (const id of ['used', 'read', 'unused']) await api.send('POST', '/profile', { json: { id } });
    const url = 'https://shop.example.com/cart';
    await api.send('POST', '/task', { json: { task: 'x', url, profile_id: 'used' } });
    await api.send('POST', '/task', {
      json: { task: 'x', url, profile_id: 'read', profile_read_only: true },
    });
    api.advance(60_000);
    const [used, read, unused] = (await api.send('GET', '/profile')).r;
    expect(used).toMatchObject({ cookie_domains: ['shop.example.com'], cookie_count: 1 });
    expect(used.last_saved_at).toBeGreaterThan(1_700_000_000);
    expect(used.last_saved_at).toBeLessThan(2_000_000_000);
    expect([read.last_saved_at, unused.last_saved_at]).toEqual([null, null]);
  });

  it('keep saved cookies after the task data is deleted, and nothing of an earlier profile with the same id', async () => {
    const api = createApi();
    const url = 'https://shop.example.com';
    const domains = async () => (await api.send('GET', '/profile')).r[0].cookie_domains;
    await api.send('POST', '/profile', { json: { id: 'p' } });
    const { id } = (await api.send('POST', '/task', { json: { task: 'x', url, profile_id: 'p' } })).r;
    api.advance(60_000);
    await api.send('DELETE', `/task/${id}/data`);
    expect(await domains()).toEqual(['shop.example.com']);
    await api.send('POST', '/task', { json: { task: 'x', url, profile_id: 'p' } });
    api.advance(60_000);
    await api.send('DELETE', '/profile/p');
    await api.send('POST', '/profile', { json: { id: 'p' } });
    expect(await domains()).toEqual([]);
  });

  it('are saved with the hosts that actions of a session opened', async () => {
    const api = createApi();
    await api.send('POST', '/profile', { json: { id: 'p' } });
    const session = (await api.send('POST', '/task', { json: { task: null, profile_id: 'p' } })).r.id;
    for (const url of ['https://login.example/', 'no address'])
      await api.send('POST', `/task/${session}/event`, {
        json: { name: 'browser_action', id: url, payload: { name: 'goto', input: { url } } },
      });
    api.advance(60_000);
    expect((await api.send('GET', '/profile')).r[0].cookie_domains).toEqual([]);
    await api.send('DELETE', `/task/${session}`);
    expect((await api.send('GET', '/profile')).r[0].cookie_domains).toEqual(['login.example']);
  });

  it('are bounded', async () => {
    const api = createApi({ limits: { records: 2 } });
    const make = () => api.send('POST', '/profile', { json: {} });
    expect([(await make()).status, (await make()).status, (await make()).status]).toEqual([200, 200, 400]);
  });
});

describe('browsers for manual use', () => {
  const open = (api: ReturnType<typeof createApi>, json = {}, key = 'test') =>
    api.send('POST', '/browser/session', { json, key });

  it('open with a live address, take a session from the balance, and close once', async () => {
    const api = createApi();
    const { browser_sessions } = (await api.send('GET', '/usage')).r;
    const { r } = await open(api, { profile_id: 'p' });
    expect(r).toEqual({
      profile_id: 'p',
      live_id: r.live_id,
      live_url: `http://mock.test/live/${r.live_id}`,
    });
    expect((await api.send('GET', '/profile')).r).toMatchObject([{ id: 'p' }]);
    expect((await api.send('GET', '/usage')).r.browser_sessions).toBe(browser_sessions - 1);
    expect((await api.send('DELETE', `/browser/session/${r.live_id}`, { key: 'other' })).status).toBe(404);
    expect((await api.send('DELETE', `/browser/session/${r.live_id}`)).status).toBe(200);
    expect((await api.send('DELETE', `/browser/session/${r.live_id}`)).status).toBe(404);
    expect((await api.send('GET', '/profile')).r[0].last_saved_at).not.toBeNull();
  });

  it('need a plan with browser sessions, and the refusal says so', async () => {
    const { status, body } = await open(createApi(), {}, 'free-1');
    expect(status).toBe(403);
    expect(body.detail).toMatch(/^Browser sessions are a premium feature/);
  });

  it('end after 5 minutes', async () => {
    const api = createApi();
    const first = (await open(api)).r.live_id;
    api.advance(BROWSER_SESSION_LIFETIME_MS - 1);
    const second = (await open(api)).r.live_id;
    expect((await api.send('DELETE', `/browser/session/${second}`)).status).toBe(200);
    api.advance(1);
    expect((await api.send('DELETE', `/browser/session/${first}`)).status).toBe(404);
  });

  it('save the cookies of their page into the profile, when they are closed and when they end', async () => {
    const api = createApi();
    const url = 'https://login.example/start';
    const closed = (await open(api, { profile_id: 'closed', url })).r.live_id;
    await open(api, { profile_id: 'ended', url });
    await open(api, { profile_id: 'blank' });
    api.advance(60_000);
    await api.send('DELETE', `/browser/session/${closed}`);
    const ofEach = async (field: string) =>
      (await api.send('GET', '/profile')).r.map((profile: Record<string, unknown>) => profile[field]);
    expect(await ofEach('cookie_domains')).toEqual([['login.example'], [], []]);
    api.advance(BROWSER_SESSION_LIFETIME_MS);
    expect(await ofEach('cookie_domains')).toEqual([['login.example'], ['login.example'], []]);
    const [first, ...others] = await ofEach('last_saved_at');
    expect(others).toEqual([first + 240, first + 240]);
  });

  it('create their own profile, and have no live view unless requested', async () => {
    const api = createApi();
    const { r } = await open(api, { live_view: false, profile_id: null });
    expect(r.live_url).toBe('');
    expect((await api.send('GET', '/browser/profile')).r.profile_ids).toEqual([r.profile_id]);
  });

  it('need a paid plan and a balance', async () => {
    const api = createApi();
    expect((await open(api, {}, 'free-1')).status).toBe(403);
    api.openOrganisation().account.browser_sessions = 1;
    expect((await open(api)).status).toBe(200);
    expect((await open(api)).status).toBe(429);
    await api.send('POST', '/plan?plan=enterprise');
    expect((await open(api)).status).toBe(200);
  });
});
