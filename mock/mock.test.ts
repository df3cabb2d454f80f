import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { InvalidFile, UnknownName } from '../scenarios/format/invalid-file.js';
import { MANUAL_START_MS } from './engine/clock.js';
import { Mock } from './mock.js';
import type { MockOptions } from './options/mock-options.js';

const directory = mkdtempSync(join(tmpdir(), 'taskdouble-create-'));
afterAll(() => rmSync(directory, { recursive: true }));

function file(name: string, text: string): string {
  const path = join(directory, name);
  writeFileSync(path, text);
  return path;
}

/** A mock whose clock does not move, and a client. */
function setUp(options: MockOptions = {}) {
  const mock = new Mock({ clock: 'manual', ...options });
  return { mock, call: caller(mock) };
}

function caller(mock: Mock) {
  return async (method: string, path: string, body?: unknown, key = 'test') => {
    const init = { method, headers: { apikey: key } };
    const response = await mock.fetch(
      `http://mock.test${path}`,
      body === undefined ? init : { ...init, body: JSON.stringify(body) },
    );
    return { status: response.status, body: await response.json() };
  };
}

const GREETING = {
  name: 'greeting',
  title: 'The agent greets after a second',
  request: { task: 'Say hello' },
  timeline: [{ service: 'finish', after: '1s', output: 'hello' }],
};

describe('createMock with invalid options', () => {
  it.each([
    [{ clok: 1 }, 'unknown key "clok"; did you mean clock?'],
    [{ clock: 'foo' }, 'clock: expected one of real, manual, skipping, eager; found "foo"'],
    [{ speed: 0 }, 'speed: expected a number above 0; found 0'],
    [{ rateLimit: 1 }, 'unknown key "rateLimit"'],
  ])('says so at once: %j', (options, message) => {
    expect(() => new Mock(options as never)).toThrow(message);
  });

  it('does not respond after it is closed', async () => {
    const mock = new Mock();
    await mock.close();
    await expect(mock.fetch('/api/v1/usage')).rejects.toThrow('has been closed');
  });
});

describe('a mock in process', () => {
  it('plays a scenario on its own time', async () => {
    const { mock, call } = setUp({ scenarios: [GREETING] });
    const { id } = (await call('POST', '/api/v1/task', { task: 'Say hello' })).body.r;
    expect((await call('GET', `/api/v1/task/${id}`)).status).toBe(202);
    await mock.clock.advance(999);
    expect((await call('GET', `/api/v1/task/${id}`)).status).toBe(202);
    await mock.clock.advance('1ms');
    expect(await call('GET', `/api/v1/task/${id}`)).toMatchObject({
      status: 200,
      body: { r: { status: 'done', output: 'hello' } },
    });
  });

  it('moves to the next due work by itself', async () => {
    const { mock, call } = setUp({ scenarios: [GREETING] });
    const { id } = (await call('POST', '/api/v1/task', { task: 'Say hello' })).body.r;
    const from = mock.clock.now('test');
    await mock.clock.next('test');
    expect(mock.clock.now('test')).toBe(from + 1000);
    expect((await call('GET', `/api/v1/task/${id}`)).status).toBe(200);
  });

  it('has a separate clock for each key', async () => {
    const { mock, call } = setUp();
    expect(mock.clock.now()).toBe(MANUAL_START_MS);
    await call('GET', '/api/v1/usage', undefined, 'one');
    expect(mock.clock.now()).toBe(MANUAL_START_MS);
    await mock.clock.advance('5m', 'two');
    expect(mock.clock.now('one')).toBe(MANUAL_START_MS);
    expect(mock.clock.now('two')).toBe(MANUAL_START_MS + 300_000);
    expect(() => mock.clock.now()).toThrow(/2 organisations.*key/);
  });

  it('changes the pace of clocks', async () => {
    const { mock, call } = setUp({ clock: 'real', wall: () => 1_000_000 });
    await call('GET', '/api/v1/usage');
    await mock.clock.set({ speed: 50 });
    await mock.clock.set({ pause: true });
    expect(mock.clock.view('test')[0]).toMatchObject({ mode: 'manual', speed: 50 });
    await mock.clock.set({ pause: false });
    expect(mock.clock.view('test')[0]).toMatchObject({ mode: 'real', speed: 50 });
  });

  it('holds a skipping clock still while a test is busy', async () => {
    const { mock, call } = setUp({ clock: 'skipping', scenarios: [GREETING] });
    const { id } = (await call('POST', '/api/v1/task', { task: 'Say hello' })).body.r;
    await call('GET', `/api/v1/task/${id}`);
    const { id: other } = (await call('POST', '/api/v1/task', { task: 'Say hello' })).body.r;
    const release = mock.clock.busy('test');
    for (let poll = 0; poll < 3; poll++) {
      expect((await call('GET', `/api/v1/task/${other}`)).status).toBe(202);
    }
    release();
    release();
    expect((await call('GET', `/api/v1/task/${other}`)).status).toBe(200);
  });

  it('keeps a journal with the keys redacted, and forgets on reset', async () => {
    const { mock, call } = setUp();
    const { id } = (await call('POST', '/api/v1/task', { task: 'Say hello' })).body.r;
    await call('GET', `/api/v1/task/${id}`);
    expect(mock.journal({ task: id }).map(({ kind }) => kind)).toEqual(['create', 'poll']);
    expect(JSON.stringify(mock.journal())).not.toContain('"test"');
    mock.reset('test');
    expect(mock.journal()).toEqual([]);
    expect((await call('GET', `/api/v1/task/${id}`)).status).toBe(404);
  });

  it('restores a snapshot and then responds identically', async () => {
    const { mock, call } = setUp({ scenarios: [GREETING] });
    const { id } = (await call('POST', '/api/v1/task', { task: 'Say hello' })).body.r;
    const state = mock.snapshot();
    const go = async () => {
      await mock.clock.advance('2s', 'test');
      return [
        await call('GET', `/api/v1/task/${id}`),
        await call('POST', '/api/v1/task', { task: 'Another' }),
      ];
    };
    const first = await go();
    await mock.restore(JSON.parse(JSON.stringify(state)));
    expect((await call('GET', `/api/v1/task/${id}`)).status).toBe(202);
    await mock.restore(state);
    expect(await go()).toEqual(first);
  });

  it('opens gates', async () => {
    const gated = { ...GREETING, timeline: [{ service: 'finish', after: { gate: 'go' }, output: 'hello' }] };
    const { mock, call } = setUp({ scenarios: [gated] });
    const { id } = (await call('POST', '/api/v1/task', { task: 'Say hello' })).body.r;
    await mock.clock.advance('1m');
    expect((await call('GET', `/api/v1/task/${id}`)).status).toBe(202);
    mock.openGate('go', { task: id });
    expect((await call('GET', `/api/v1/task/${id}`)).status).toBe(200);
  });

  it('queues scenarios by name and as objects', async () => {
    const { mock, call } = setUp();
    expect(await mock.scenario(GREETING, 'test')).toBe('greeting');
    const first = await call('POST', '/api/v1/task', { task: 'Something else' });
    await mock.scenario('greeting', 'test');
    const second = await call('POST', '/api/v1/task', { task: 'Something else' });
    const ids = [first, second].map(({ body }) => body.r.id);
    expect(ids.map((id) => mock.task(id).scenario)).toEqual(['greeting', 'greeting']);
    await expect(mock.scenario('greetin', 'test')).rejects.toThrow(/did you mean greeting/);
  });

  it('passes the exchanges to the rules and returns their findings', async () => {
    const { mock, call } = setUp({
      judge: (exchanges) =>
        exchanges.map(({ seq }) => ({
          rule: 'always',
          requirement: 'POLL-01',
          side: 'client',
          level: 'advice',
          message: `exchange ${seq}`,
          evidence: [seq],
        })),
    });
    await call('GET', '/api/v1/usage');
    expect(mock.findings('test').map(({ message }) => message)).toEqual(['exchange 1']);
  });

  it('serves the admin API and the pages besides the API, the admin API without CORS', async () => {
    const { mock, call } = setUp();
    const { id } = (await call('POST', '/api/v1/task', { task: 'Say hello' })).body.r;
    const admin = await mock.fetch('/__admin/health');
    expect(await admin.json()).toMatchObject({ status: 'ok', tasks: 1 });
    expect(admin.headers.get('access-control-allow-origin')).toBeNull();
    const live = await mock.fetch(`/live/${id}`);
    expect(live.headers.get('content-type')).toMatch(/^text\/html/);
    expect(await live.text()).toContain(id);
    const api = await mock.fetch('/api/v1/usage', { headers: { apikey: 'test' } });
    expect(api.headers.get('access-control-allow-origin')).toBe('*');
    expect((await mock.fetch('/__administrator')).status).toBe(404);
  });
});

describe('the options of a mock', () => {
  it('may be paths', async () => {
    const scenario = file(
      'hello.yaml',
      'title: From a file\nrequest: { task: Say hello }\ntimeline:\n  - { service: finish, output: from a file }\n',
    );
    const { mock, call } = setUp({
      scenarios: [scenario],
      fixtures: file('fixtures.yaml', 'organisation: { credits: 7, plan: starter }\n'),
      dialect: ['bare-results', { 'errors.validation-detail': 'list' }],
      network: 'fail 503 of create 1',
    });
    expect((await call('GET', '/api/v1/usage')).body.r).toMatchObject({ credits: 7, plan: 'starter' });
    expect((await call('POST', '/api/v1/task', { task: 'Say hello' })).status).toBe(503);
    const { id } = (await call('POST', '/api/v1/task', { task: 'Say hello' })).body.r;
    expect((await call('GET', `/api/v1/task/${id}`)).body.r.output).toBe('from a file');
    // bare-results chooses 403, and this choice has precedence over its text for a 422.
    const unauthorized = await mock.fetch('/api/v1/usage');
    expect(unauthorized.status).toBe(403);
    expect((await call('GET', '/api/v1/task?l=0')).body.detail).toBeInstanceOf(Array);
  });

  it('may be loaded scenarios', async () => {
    const { loadScenarioText } = await import('../scenarios/format/load/load-text.js');
    const { name, ...form } = GREETING;
    const { scenario } = loadScenarioText(JSON.stringify(form), { file: 'greeting.json', name });
    const { call } = setUp({ scenarios: [scenario!] });
    const { id } = (await call('POST', '/api/v1/task', { task: 'Say hello' })).body.r;
    expect((await call('GET', `/api/v1/task/${id}`)).status).toBe(202);
  });

  it('are refused with the place and a reason', async () => {
    const broken = { ...GREETING, timeline: [{ service: 'finsh' }] };
    const bad = new Mock({ scenarios: [broken] });
    await expect(bad.ready).rejects.toThrow(InvalidFile);
    await expect(bad.fetch('/api/v1/usage')).rejects.toThrow(/did you mean finish/);
    await expect(bad.listen()).rejects.toThrow(InvalidFile);
    await bad.close();
    await expect(new Mock({ dialect: 'stric' }).ready).rejects.toThrow(UnknownName);
    await expect(new Mock({ dialect: 'stric' }).ready).rejects.toThrow(/did you mean "strict"/);
    expect(() => new Mock({ dialect: { 'auth.mising-key': '401' } })).toThrow(
      /did you mean auth.missing-key/,
    );
    await expect(new Mock({ network: 'fial 503' }).ready).rejects.toThrow(/did you mean fail/);
  });

  it('apply to organisations that were opened before they were loaded', async () => {
    const mock = new Mock({ dialect: 'strict' });
    mock.clock.view('early');
    await mock.ready;
    const fields = { method: 'POST', body: '{"task":"x","unknown":1}', headers: { apikey: 'early' } };
    expect((await mock.fetch('/api/v1/task', fields)).status).toBe(422);
  });
});

describe('a mock that listens', () => {
  it('responds on every open port until it is closed', async () => {
    const { mock } = setUp();
    const first = await mock.listen();
    const second = await mock.listen();
    expect(first.port).not.toBe(second.port);
    expect(mock.baseUrl).toBe(second.baseUrl);
    expect(second.adminUrl).toBe(`${second.baseUrl}/__admin`);
    for (const { baseUrl } of [first, second]) {
      expect((await fetch(`${baseUrl}/__admin/health`)).status).toBe(200);
    }
    await first.close();
    await expect(fetch(`${first.baseUrl}/__admin/health`)).rejects.toThrow();
    expect((await fetch(second.adminUrl)).status).toBe(200);
    await mock.close();
    await expect(fetch(second.adminUrl)).rejects.toThrow();
  });

  it('uses its listening address in responses', async () => {
    const { mock, call } = setUp();
    const { baseUrl } = await mock.listen();
    const { live_url } = (await call('POST', '/api/v1/task', { task: null })).body.r;
    expect(live_url).toMatch(new RegExp(`^${baseUrl}/live/`));
    expect((await fetch(live_url)).status).toBe(200);
    await mock.close();
  });

  it('rejects with the reason if the port is in use', async () => {
    const { mock } = setUp();
    const { port } = await mock.listen();
    await expect(mock.listen({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
    await mock.close();
  });
});
