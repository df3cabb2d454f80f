import { describe, expect, it } from 'vitest';
import { createScenario, createWireRequest, startMock } from '../../test/support/mock/mock.js';
import { TOO_LARGE, type WireRequest } from '../exchange/wire.js';
import { Admin } from './admin.js';
import { ADMIN_ROUTES } from './admin-routes.js';

const GATED = createScenario('g', [{ service: 'finish', after: { gate: 'go' } }]);

async function start(token?: string) {
  const mock = await startMock({
    scenarios: [GATED],
    writeScenario: () => ({ yaml: 'timeline: []\n' }),
    readTimelines: () => ({ text: 'lines', timelines: [] }),
  });
  const admin = new Admin(mock.control, token, ADMIN_ROUTES, mock.service.organisations);
  const callAdmin = async (method: string, path: string, body?: unknown, more: Partial<WireRequest> = {}) => {
    const {
      status,
      headers,
      body: text,
    } = await admin.handle({ ...createWireRequest(method, `/__admin${path}`, body), ...more });
    expect(headers['content-type']).toBe('application/json');
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    const parsed = JSON.parse(String(text));
    if (status >= 400) expect(parsed.detail).toEqual(expect.stringMatching(/.{10}/));
    return { status, headers, body: parsed };
  };
  return { ...mock, admin, callAdmin };
}

describe('access to the admin API', () => {
  it('responds to this machine only', async () => {
    const { callAdmin } = await start();
    expect((await callAdmin('GET', '/health')).status).toBe(200);
    for (const host of ['localhost:4010', '127.0.0.1', '127.1.2.3:80', '[::1]:4010', 'LOCALHOST']) {
      expect((await callAdmin('GET', '/health', undefined, { headers: { host } })).status, host).toBe(200);
    }
    const refused = await callAdmin('GET', '/health', undefined, { loopback: false });
    expect(refused).toMatchObject({
      status: 403,
      body: { detail: expect.stringContaining('this machine only') },
    });
  });

  it('refuses pages in a browser, and names that lead to this machine', async () => {
    const { callAdmin, control } = await start();
    control.clock.view('a');
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: 'http://localhost:4010' },
      { host: 'evil.example' },
      { host: '127.0.0.1.evil.example' },
      { host: 'localhost.evil.example:4010' },
      { host: '' },
    ] as Record<string, string>[]) {
      expect(
        (await callAdmin('POST', '/reset', undefined, { headers })).status,
        JSON.stringify(headers),
      ).toBe(403);
    }
    expect(control.health().organisations).toBe(1);
  });

  it('accepts pages of its own origin at names of this machine', async () => {
    const { callAdmin } = await start();
    const from = (host: string, origin: string) =>
      callAdmin('POST', '/reset', undefined, { headers: { host, origin } });
    expect((await from('localhost:4010', 'http://localhost:4010')).status).toBe(200);
    expect((await from('127.0.0.1:4010', 'http://127.0.0.1:4011')).status).toBe(403);
    expect((await from('localhost:4010', 'https://localhost:4010')).status).toBe(403);
    expect((await from('evil.example', 'http://evil.example')).status).toBe(403);
  });

  it('with a token accepts only requests with the token, from any machine', async () => {
    const { callAdmin } = await start('s3cret-token');
    const from = (headers: Record<string, string>) =>
      callAdmin('GET', '/health', undefined, { loopback: false, headers });
    expect((await from({ 'x-taskdouble-admin-token': 's3cret-token' })).status).toBe(200);
    expect(
      (await from({ authorization: 'Bearer s3cret-token', origin: 'https://ci.example', host: 'mock' }))
        .status,
    ).toBe(200);
    for (const wrong of [
      '',
      's',
      's3cret-toke',
      's3cret-token!',
      's3cret-tokeN',
      's3cret-tokens3cret-token',
    ]) {
      const parsed = await from({ 'x-taskdouble-admin-token': wrong });
      expect(parsed.status, wrong).toBe(403);
      expect(JSON.stringify(parsed.body)).not.toContain('s3cret');
    }
    expect((await from({})).status).toBe(403);
    expect((await from({ authorization: 's3cret-token' })).status).toBe(403);
    expect((await callAdmin('GET', '/health')).status).toBe(403);
    expect(() => new Admin({} as never, '', ADMIN_ROUTES)).toThrow('The admin token is empty');
  });
});

describe('the admin API', () => {
  it('lists all its operations with a line each', async () => {
    const { callAdmin } = await start();
    const { operations } = (await callAdmin('GET', '')).body;
    expect(operations.map((each: { method: string; path: string }) => `${each.method} ${each.path}`)).toEqual(
      [
        'GET /__admin/health',
        'POST /__admin/reset',
        'GET /__admin/clock',
        'GET /__admin/clock/due',
        'POST /__admin/clock',
        'GET /__admin/scenarios',
        'POST /__admin/scenarios',
        'DELETE /__admin/scenarios',
        'GET /__admin/scenarios/preview',
        'POST /__admin/scenarios/preview',
        'GET /__admin/scenarios/next',
        'DELETE /__admin/scenarios/next',
        'POST /__admin/scenarios/next',
        'GET /__admin/network',
        'PUT /__admin/network',
        'DELETE /__admin/network',
        'POST /__admin/network',
        'PATCH /__admin/network',
        'GET /__admin/network/why',
        'GET /__admin/network/verbs',
        'GET /__admin/journal',
        'GET /__admin/timeline',
        'POST /__admin/view',
        'POST /__admin/exchanges/{id}/send',
        'GET /__admin/tasks',
        'GET /__admin/stream',
        'GET /__admin/keys',
        'POST /__admin/keys',
        'GET /__admin/wait',
        'GET /__admin/tasks/{id}',
        'GET /__admin/tasks/{id}/runs',
        'GET /__admin/tasks/{id}/scenario',
        'POST /__admin/tasks/{id}/steps',
        'POST /__admin/tasks/{id}/events',
        'GET /__admin/gates',
        'POST /__admin/gates',
        'GET /__admin/state',
        'PUT /__admin/state',
        'GET /__admin/findings',
      ],
    );
    for (const { about } of operations) expect(about.length).toBeGreaterThan(10);
  });

  it('responds to every GET, and adds nothing to the journal', async () => {
    const { callAdmin, admin, create, control } = await start();
    const id = await create({ task: 'g' });
    await control.network.set([{ network: 'fail', status: 500, of: 'any' }]);
    for (const [method, path] of Object.keys(ADMIN_ROUTES).map(
      (route) => route.split(' ') as [string, string],
    )) {
      // The stream has a test of its own.
      if (method !== 'GET' || path === '/stream') continue;
      const query = { '/scenarios/preview': '?name=tool-calls/one-call', '/wait': '?gate=go' }[path] ?? '';
      const { status } =
        path === '/tasks/{id}/scenario' || path === '/timeline'
          ? await admin.handle(createWireRequest(method, `/__admin${path.replace('{id}', id)}`))
          : await callAdmin(method, path.replace('{id}', id) + query);
      expect(status, path).toBe(200);
    }
    expect(control.journal()).toHaveLength(1);
  });

  it('lists tasks, newest first, and accepts organisations by name', async () => {
    const { callAdmin, create, control } = await start();
    const ids = [await create({ task: 'g' }), await create({ task: 'g' }), await create({ task: null }, 'b')];
    const idsOf = async (path: string) =>
      (await callAdmin('GET', path)).body.tasks.map((each: { id: string }) => each.id);
    expect(await idsOf('/tasks?organisation=org-1')).toEqual([ids[1], ids[0]]);
    expect(await idsOf(`/tasks?organisation=org-1&before=${ids[1]}`)).toEqual([ids[0]]);
    expect((await callAdmin('GET', '/tasks?limit=1')).body.more).toBe(true);
    expect((await callAdmin('GET', '/tasks?organisation=org-2')).body.tasks).toMatchObject([
      { id: ids[2], title: 'Session', kind: 'session', status: 'running', polls: 0 },
    ]);
    expect((await callAdmin('GET', '/tasks?organisation=org-9')).status).toBe(404);
    await callAdmin('POST', '/clock?organisation=org-2', { advance: '1m' });
    expect(control.clock.view().map(({ now }) => now)).toEqual([1_767_225_600_000, 1_767_225_660_000]);
  });

  it('lists the tasks that have an exchange for each word', async () => {
    const { callAdmin, create, poll, control } = await start();
    const [one, other] = [await create({ task: 'Tea?' }), await create({ task: 'Coffee?' })];
    await control.network.set('fail 503 of poll times 1', 'a');
    await poll(one);
    await poll(other);
    const list = async (words: string) => {
      const { status, body } = await callAdmin('GET', `/tasks?exchange=${encodeURIComponent(words)}`);
      return body.tasks?.map(({ title }: { title: string }) => title) ?? status;
    };
    expect(await list('status:5xx')).toEqual(['Tea?']);
    expect(await list('kind:poll -status:503')).toEqual(['Coffee?']);
    expect(await list('body:coffee kind:poll')).toEqual(['Coffee?']);
    expect(await list(`url:${one}`)).toEqual(['Tea?']);
    expect(await list('kind:reply')).toEqual([]);
    expect(await list('tea')).toBe(422);
  });

  it('names keys, before and after their first request, and never shows one', async () => {
    const { callAdmin, create, control } = await start();
    await callAdmin('POST', '/keys?key=sk-secret-1', { name: 'team-a' });
    await create({ task: 'Tea?' }, 'sk-secret-1');
    await create({ task: 'Tea?' }, 'sk-secret-2');
    const hash = expect.stringMatching(/^[0-9a-f]{6}$/);
    const { body } = await callAdmin('GET', '/keys');
    expect(body.keys).toEqual([
      { organisation: 'org-1', name: 'team-a', hash },
      { organisation: 'org-2', hash },
    ]);
    expect(body.keys[0].hash).not.toBe(body.keys[1].hash);
    const named = await callAdmin('POST', '/keys?organisation=org-2', { name: 'team-b' });
    expect(named.body.keys).toEqual([{ ...body.keys[1], name: 'team-b' }]);
    expect((await callAdmin('POST', '/keys', { name: 'x' })).status).toBe(422);
    expect((await callAdmin('POST', '/keys?key=sk-secret-2', { name: 'my sk-secret-2' })).status).toBe(422);
    expect(JSON.stringify([body, named])).not.toContain('secret');
    control.reset('sk-secret-1');
    await create({ task: 'Tea?' }, 'sk-secret-1');
    expect((await callAdmin('GET', '/keys?key=sk-secret-1')).body.keys).toMatchObject([{ name: 'team-a' }]);
    control.reset();
    await create({ task: 'Tea?' }, 'sk-secret-1');
    expect((await callAdmin('GET', '/keys')).body.keys).toMatchObject([{ hash }]);
    expect((await callAdmin('GET', '/keys')).body.keys[0]).not.toHaveProperty('name');
  });

  it('adds network rules to the existing ones, and describes the verbs', async () => {
    const { callAdmin, create } = await start();
    await create({ task: 'g' });
    await callAdmin('PUT', '/network?key=a', [{ network: 'delay', time: '1s', of: 'poll' }]);
    const { network } = (
      await callAdmin('POST', '/network?key=a', [{ network: 'fail', status: 503, of: 'poll' }])
    ).body;
    expect(network[0].rules).toMatchObject([{ id: 'rule-1' }, { id: 'rule-2', rule: { network: 'fail' } }]);
    const { for_all, network: all } = (await callAdmin('POST', '/network', 'drop of poll')).body;
    expect(for_all).toEqual([{ id: 'rule-3', rule: { network: 'drop', of: { poll: true } } }]);
    expect(all[0].rules[2]).toMatchObject(for_all[0]);
    const { verbs } = (await callAdmin('GET', '/network/verbs')).body;
    expect(verbs.find((each: { name: string }) => each.name === 'fail')).toMatchObject({
      required: ['status'],
    });
  });

  it('shows a scenario, and sends a request again', async () => {
    const { callAdmin, create, control } = await start();
    const shown = (await callAdmin('GET', '/scenarios/preview?name=g')).body;
    expect(shown).toMatchObject({ name: 'g', lines: [{ kind: 'request' }, { kind: 'response' }, {}, {}] });
    expect(shown.yaml).toContain('gate: go');
    await create({ task: 'g' });
    expect((await callAdmin('POST', '/exchanges/1/send?organisation=org-1')).body).toEqual({ seq: 2 });
    await callAdmin('GET', '/health');
    const [first, second] = control.journal();
    expect(second!.request.body).toBe(first!.request.body);
    expect(second!.response!.status).toBe(200);
    expect((await callAdmin('POST', '/exchanges/9/send')).status).toBe(404);
    const changed = { url: '/api/v1/task?x=1', body: '{"task":"g 2"}' };
    expect((await callAdmin('POST', '/exchanges/1/send?organisation=org-1', changed)).body).toEqual({
      seq: 3,
    });
    await callAdmin('GET', '/health');
    expect(control.journal()[2]).toMatchObject({
      request: { url: changed.url, body: changed.body },
      response: { status: 200 },
    });
    const elsewhere = { url: 'https://x.test/' };
    expect((await callAdmin('POST', '/exchanges/1/send?organisation=org-1', elsewhere)).status).toBe(422);
  });

  it('sends a reply for the client', async () => {
    const { callAdmin, create, control } = await start();
    const id = await create({
      task: 'g',
      custom_tools: [{ name: 'ask', description: 'A', inputs: {}, output: 'T' }],
    });
    await callAdmin('POST', `/tasks/${id}/steps`, { service: 'tool_call', id: 'q', tool: 'ask', input: {} });
    const [call] = control.task(id).calls;
    const reply = { id: call!.id, name: 'tool_call', payload: { code: 200, output: 'Green.' }, timestamp: 1 };
    expect((await callAdmin('POST', `/tasks/${id}/events`, reply)).body).toEqual({ seq: 2 });
    await callAdmin('GET', '/health');
    expect(control.task(id).calls).toMatchObject([{ reply: { code: 200, output: 'Green.' } }]);
    expect(control.journal({ key: 'a' }).at(-1)).toMatchObject({ kind: 'reply', task: id });
    expect((await callAdmin('POST', '/tasks/none/events', reply)).status).toBe(404);
  });

  it('moves the clock, opens gates, injects steps', async () => {
    const { callAdmin, create, control } = await start();
    const [one, two] = [await create({ task: 'g' }), await create({ task: 'g' })];
    const moved = await callAdmin('POST', '/clock?key=a', { advance: '5m' });
    expect(moved.body.clocks).toMatchObject([{ organisation: 'org-1', iso: '2026-01-01T00:05:00.000Z' }]);
    expect((await callAdmin('GET', '/gates')).body.gates[0].waiting).toHaveLength(2);
    expect((await callAdmin('GET', `/tasks/${one}/runs`)).body.runs).toMatchObject([
      { next: { waits_for: ['gate go to be opened'] } },
    ]);
    expect((await callAdmin('POST', '/gates', { name: 'go', task: one })).status).toBe(200);
    expect(control.task(one).status).toBe('done');
    const injected = await callAdmin('POST', `/tasks/${two}/steps`, { service: 'finish', status: 'failed' });
    expect(injected.body).toMatchObject({ id: two, status: 'failed' });
    expect((await callAdmin('GET', `/tasks/${two}`)).body.status).toBe('failed');
    expect((await callAdmin('GET', `/journal?task=${one}`)).body.exchanges).toMatchObject([
      { kind: 'create', task: one },
    ]);
    expect((await callAdmin('GET', '/journal?since=1&limit=5')).body.exchanges).toMatchObject([{ seq: 2 }]);
  });

  it('accepts scenarios as YAML and as JSON, and queues them', async () => {
    const { callAdmin, create, poll } = await start();
    const yaml = 'title: Mine\nrequest: { task: mine }\ntimeline:\n  - service: finish\n    output: mine\n';
    expect((await callAdmin('POST', '/scenarios?name=from-yaml', yaml)).body).toEqual({
      added: ['from-yaml'],
    });
    const object = {
      name: 'x',
      title: 'X',
      request: { task: 'x' },
      timeline: [{ service: 'finish', output: 'x' }],
    };
    expect((await callAdmin('POST', '/scenarios', [object])).body).toEqual({ added: ['x'] });
    expect(
      (
        await callAdmin(
          'POST',
          '/scenarios/next',
          { names: ['x', 'from-yaml'] },
          { headers: { apikey: 'a' } },
        )
      ).body,
    ).toEqual({
      queued: ['x', 'from-yaml'],
    });
    expect((await poll(await create({ task: 'whatever' }))).r.output).toBe('x');
    const bad = await callAdmin('POST', '/scenarios', yaml.replace('finish', 'finsh'));
    expect(bad).toMatchObject({
      status: 422,
      body: { detail: expect.stringMatching(/^scenario:4:\d+: .*did you mean finish\?/) },
    });
    expect(bad.body.problems).toHaveLength(1);
    const worse = await callAdmin('POST', '/scenarios', { title: 'x' });
    expect(worse.body.detail).toMatch(/"request".*; .*"timeline"/);
    expect(await callAdmin('DELETE', '/scenarios', { name: 'x' })).toMatchObject({ status: 422 });
    expect((await callAdmin('GET', '/scenarios?search=Mine')).body.scenarios).toHaveLength(1);
    expect((await callAdmin('POST', '/scenarios/next', { name: 'form-yaml' })).body.detail).toContain(
      'did you mean from-yaml?',
    );
  });

  it('sets and clears the network', async () => {
    const { callAdmin, send } = await start();
    await callAdmin('PUT', '/network?key=a', '- { network: fail, status: 503, of: getUsage }');
    expect((await send('GET', '/usage')).status).toBe(503);
    expect((await callAdmin('GET', '/network?key=a')).body.network[0].rules).toMatchObject([
      { id: 'rule-1', fired: 1 },
    ]);
    expect((await callAdmin('DELETE', '/network?key=a&id=rule-2')).status).toBe(404);
    expect((await callAdmin('DELETE', '/network?key=a&id=rule-1')).status).toBe(200);
    expect((await send('GET', '/usage')).status).toBe(200);
  });

  it('resets one organisation by its key, in the body, the query or the header', async () => {
    const { callAdmin, control } = await start();
    const reset = [
      () => callAdmin('POST', '/reset', { key: 'a' }),
      () => callAdmin('POST', '/reset?key=a'),
      () => callAdmin('POST', '/reset', undefined, { headers: { apikey: 'a' } }),
    ];
    for (const one of reset) {
      control.clock.view('a');
      control.clock.view('b');
      expect((await one()).body).toEqual({ reset: 'one organisation' });
      expect(control.health().organisations).toBe(1);
    }
    expect((await callAdmin('POST', '/reset')).body).toEqual({ reset: 'all' });
    expect(control.health().organisations).toBe(0);
  });

  it('returns and restores the whole state', async () => {
    const { callAdmin, create, poll, control } = await start();
    const id = await create({ task: 'x' });
    const state = await callAdmin('GET', '/state');
    await control.clock.set({ advance: '1m' });
    expect((await poll(id)).status).toBe(200);
    expect((await callAdmin('PUT', '/state', state.body)).body).toEqual({ restored: 1 });
    expect((await poll(id)).status).toBe(202);
    state.body.organisations[0].state.tasks[0].seq = 'first';
    const refused = await callAdmin('PUT', '/state', state.body);
    expect(refused.body.detail).toContain('organisations[0].state.tasks[0].seq: expected a whole number');
  });
});

describe('a bad admin request', () => {
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  const bytes = (...values: number[]) => ({ body: Uint8Array.from(values) });

  it.each<[number, string, string, unknown, Partial<WireRequest>?]>([
    [404, 'GET', '/nope', undefined],
    [404, 'GET', '/tasks/nope', undefined],
    [404, 'GET', '/tasks/%zz', undefined],
    [404, 'POST', '/tasks/nope/steps', { service: 'finish' }],
    [404, 'POST', '/gates', { name: 'go', task: 'nope' }],
    [405, 'DELETE', '/health', undefined],
    [405, 'GET', '/reset', undefined],
    [405, 'OPTIONS', '/clock', undefined],
    [405, 'POST', '', undefined],
    [400, 'POST', '/clock', undefined],
    [400, 'POST', '/clock', '{"advance": '],
    [400, 'POST', '/clock', undefined, bytes(0x22, 0xff, 0x22)],
    [400, 'GET', '/journal?taks=x', undefined],
    [400, 'GET', '/journal?task=x&task=y', undefined],
    [413, 'PUT', '/state', undefined, { body: TOO_LARGE }],
    [422, 'POST', '/clock', []],
    [422, 'POST', '/clock', { advance: 'soon' }],
    [422, 'POST', '/clock', { __proto__: null, advance: {} }],
    [422, 'POST', '/reset', { key: 5 }],
    [422, 'POST', '/reset', { key: '' }],
    [422, 'POST', '/reset?key=', undefined],
    [422, 'POST', '/reset', undefined, { headers: { apikey: '' } }],
    [422, 'POST', '/reset', { kye: 'a' }],
    [422, 'POST', '/scenarios', 'title: only a title'],
    [422, 'POST', '/scenarios', [1]],
    [422, 'POST', '/scenarios', { name: 5 }],
    [422, 'POST', '/scenarios/next', {}],
    [422, 'POST', '/scenarios/next', { name: 'g', names: ['g'] }],
    [422, 'POST', '/scenarios/next', { names: [5] }],
    [422, 'PUT', '/network', undefined],
    [422, 'PUT', '/network', { rules: 5 }],
    [422, 'GET', '/journal?since=yesterday', undefined],
    [422, 'GET', '/journal?limit=-1', undefined],
    [422, 'GET', '/journal?kind=nothing', undefined],
    [422, 'POST', '/gates', {}],
    [422, 'PUT', '/state', { version: 1 }],
    [422, 'PUT', '/state', deep],
    [422, 'PUT', '/state', `{"version":1,"organisations":[{"key":"a","state":${deep}}]}`],
    [422, 'POST', '/scenarios', deep],
  ])('%i for %s %s %.60j', async (status, method, path, body, more = {}) => {
    const { callAdmin, control } = await start();
    const before = control.health();
    expect((await callAdmin(method, path, body, more)).status).toBe(status);
    expect(control.health()).toEqual(before);
  });

  it('lists the allowed methods', async () => {
    const { callAdmin } = await start();
    expect((await callAdmin('TRACE', '/network')).headers.allow).toBe('GET, HEAD, PUT, DELETE, POST, PATCH');
  });
});
