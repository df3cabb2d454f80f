import { describe, expect, it } from 'vitest';
import { createApi, ORIGIN } from '../../test/support/mock/api.js';
import { Mock } from '../mock.js';

describe('organisation', () => {
  it('is renamed', async () => {
    const api = createApi();
    expect((await api.send('POST', '/org?name=Acme')).body).toEqual({ r: true });
    expect((await api.send('GET', '/org')).r).toMatchObject({ name: 'Acme', plan: 'growth' });
    expect((await api.send('GET', '/org', { key: 'other' })).r.name).not.toBe('Acme');
    expect((await api.send('POST', '/org?name=%20')).status).toBe(400);
  });

  it('counts the invitations of an address and lists it as a member', async () => {
    const api = createApi();
    expect((await api.send('POST', '/org/user?email=a@b.c')).r).toEqual({ 'a@b.c': 1 });
    expect((await api.send('POST', '/org/user?email=a@b.c')).r).toEqual({ 'a@b.c': 2 });
    const { members } = (await api.send('GET', '/org')).r;
    expect(members).toContainEqual({ email: 'a@b.c', role: 'invited' });
    expect(members).toHaveLength(2);
    expect(api.openOrganisation().records.invites.get('a@b.c')!.link).toMatch(`${ORIGIN}/invite/`);
  });

  it('notes the invite link in the journal', async () => {
    const api = createApi();
    await api.send('POST', '/org/user?email=a@b.c');
    const { link } = api.openOrganisation().records.invites.get('a@b.c')!;
    expect(api.openOrganisation().journal.read().at(-1)!.notes).toEqual([`invite link for a@b.c: ${link}`]);
  });

  it.each(['nobody', '__proto__', 'a%20b@c', ''])('refuses to invite "%s"', async (email) => {
    const api = createApi();
    expect((await api.send('POST', `/org/user?email=${email}`)).status).toBe(400);
    expect((await api.send('GET', '/org')).r.members).toHaveLength(1);
  });
});

describe('credits', () => {
  it('a top-up raises the balance of /usage', async () => {
    const api = createApi();
    const { credits } = (await api.send('GET', '/usage')).r;
    expect((await api.send('POST', '/topup?amount=500')).body).toEqual({ r: true });
    expect((await api.send('GET', '/usage')).r.credits).toBe(credits + 500);
  });

  it.each(['0', '-5', '9007199254740991'])('refuses a top-up of %s', async (amount) => {
    const api = createApi();
    const before = (await api.send('GET', '/usage')).r;
    expect((await api.send('POST', `/topup?amount=${amount}`)).status).toBe(400);
    expect((await api.send('GET', '/usage')).r).toEqual(before);
  });

  it('stores the automatic top-up, which fills the balance after a task has spent it', async () => {
    const api = createApi();
    expect((await api.send('GET', '/topup/auto')).r).toEqual({ active: false, amount: 0, threshold: 0 });
    const { credits } = (await api.send('GET', '/usage')).r;
    const set = await api.send('POST', `/topup/auto?active=true&amount=1000&threshold=${credits}`);
    expect(set.r).toEqual({ active: true, amount: 1000, threshold: credits });
    expect((await api.send('GET', '/topup/auto')).r).toEqual(set.r);
    expect((await api.send('GET', '/usage')).r.credits).toBe(credits);
    await api.send('POST', '/task', { json: { task: 'x' } });
    api.advance(60_000);
    expect((await api.send('GET', '/usage')).r.credits).toBe(credits + 1000 - 1);
  });

  it('the automatic top-up lets an organisation without credits start tasks again', async () => {
    const api = createApi();
    const task = () => api.send('POST', '/task', { key: 'exhausted-1', json: { task: 'x' } });
    expect((await task()).status).toBe(429);
    await api.send('POST', '/topup/auto?active=true&amount=10&threshold=5', { key: 'exhausted-1' });
    expect((await api.send('GET', '/usage', { key: 'exhausted-1' })).r.credits).toBe(10);
    expect((await task()).status).toBe(200);
  });

  it('does nothing once it is disabled, and refuses negative numbers', async () => {
    const api = createApi();
    const key = 'exhausted-1';
    await api.send('POST', '/topup/auto?active=false&amount=10&threshold=5', { key });
    expect((await api.send('GET', '/usage', { key })).r.credits).toBe(0);
    expect((await api.send('POST', '/topup/auto?active=true&amount=-1', { key })).status).toBe(400);
    expect((await api.send('GET', '/topup/auto', { key })).r.amount).toBe(10);
  });
});

describe('an organisation without credits', () => {
  it('gets a 429 whose detail names a request that gives it credits', async () => {
    const api = createApi();
    const task = () => api.send('POST', '/task', { key: 'exhausted-1', json: { task: 'x' } });
    const { status, body } = await task();
    expect(status).toBe(429);
    const [, request] = /POST (\/topup\?amount=\d+)/.exec(body.detail)!;
    expect((await api.send('POST', request!, { key: 'exhausted-1' })).status).toBe(200);
    expect((await task()).status).toBe(200);
  });

  it('is not advised to change the plan, which brings no credits', async () => {
    const api = createApi();
    const key = 'exhausted-1';
    await api.send('POST', '/plan?plan=enterprise', { key });
    const { status, body } = await api.send('POST', '/task', { key, json: { task: 'x' } });
    expect(status).toBe(429);
    expect(body.detail).not.toMatch(/plan/);
  });
});

describe('the free plan', () => {
  const sessions = async (api: ReturnType<typeof createApi>, key: string) =>
    (await api.send('GET', '/usage', { key })).r.browser_sessions;
  const open = (api: ReturnType<typeof createApi>, key: string) =>
    api.send('POST', '/browser/session', { key, json: {} });

  it('has no browser sessions, and a paid plan adds them', async () => {
    const api = createApi();
    expect(await sessions(api, 'free-1')).toBe(0);
    expect((await open(api, 'free-1')).status).toBe(403);
    await api.send('POST', '/plan?plan=starter', { key: 'free-1' });
    expect(await sessions(api, 'free-1')).toBe(100);
    expect((await open(api, 'free-1')).status).toBe(200);
  });

  it('has none either for an organisation that changes to it', async () => {
    const api = createApi();
    await api.send('POST', '/plan?plan=free');
    expect(await sessions(api, 'test')).toBe(0);
  });

  it.each([
    ['free-1', { plan: 'enterprise', browser_sessions: 7 }, { plan: 'free', browser_sessions: 0 }],
    ['test', { plan: 'free' }, { plan: 'free', browser_sessions: 0 }],
    ['test', { plan: 'enterprise' }, { plan: 'enterprise', browser_sessions: 100 }],
    ['test', { browser_sessions: 7 }, { plan: 'growth', browser_sessions: 7 }],
  ] as const)('is the same with fixtures: key %s, organisation %j', async (key, organisation, expected) => {
    const mock = new Mock({ clock: 'manual', fixtures: { organisation } });
    const response = await mock.fetch('http://mock.test/api/v1/usage', { headers: { apikey: key } });
    expect((await response.json()).r).toMatchObject(expected);
  });
});

describe('plan', () => {
  it('shows in /usage and /org and opens premium features', async () => {
    const api = createApi();
    const key = 'free-1';
    const profile = () => api.send('POST', '/profile', { key, json: { id: 'p' } });
    const task = () => api.send('POST', '/task', { key, json: { task: 'x', profile_id: 'p' } });
    expect((await profile()).status).toBe(403);
    expect((await task()).status).toBe(403);
    expect((await api.send('POST', '/plan?plan=starter', { key })).r).toMatchObject({
      plan: 'starter',
      group: 'zero',
    });
    expect((await api.send('GET', '/usage', { key })).r.plan).toBe('starter');
    expect((await api.send('GET', '/org', { key })).r.plan).toBe('starter');
    expect((await profile()).status).toBe(200);
    expect((await task()).status).toBe(200);
    expect((await api.send('POST', '/plan?plan=free&group=g', { key })).r).toEqual({
      plan: 'free',
      group: 'g',
      url: null,
    });
    expect((await task()).status).toBe(403);
  });

  it.each(['gold', 'toString', ''])(
    'the unknown plan "%s" is refused with the list of plans',
    async (plan) => {
      const api = createApi();
      const { status, body } = await api.send('POST', `/plan?plan=${plan}`);
      expect(status).toBe(400);
      expect(body.detail).toContain('free, starter, growth, enterprise');
      expect((await api.send('GET', '/usage')).r.plan).toBe('growth');
    },
  );

  it('has its payment page on the mock', async () => {
    const api = createApi();
    expect((await api.send('GET', '/org/billing')).r).toMatch(/^http:\/\/mock\.test\/billing\/./);
  });
});

it.each([
  ['empty-object', {}],
  ['null', null],
  ['r-true', { r: true }],
])('the body of operations without a specified one follows the dialect: %s', async (shape, body) => {
  const api = createApi({ dialect: { 'empty-body.shape': shape } });
  expect((await api.send('POST', '/org?name=x')).body).toEqual(body);
  expect((await api.send('POST', '/telemetry', { json: { events: [] } })).body).toEqual(body);
});

it('telemetry is counted by name and never refused', async () => {
  const api = createApi({ limits: { records: 3 } });
  const events = ['a', 'b', 'a', 'c', 'd'].map((event) => ({ event }));
  expect((await api.send('POST', '/telemetry', { json: { events } })).status).toBe(200);
  expect(Object.fromEntries(api.openOrganisation().records.telemetry.entries())).toEqual({
    a: 2,
    b: 1,
    '(others)': 2,
  });
  const eleven = Array.from({ length: 11 }, () => ({ event: 'a' }));
  expect((await api.send('POST', '/telemetry', { json: { events: eleven } })).status).toBe(422);
});
