import { describe, expect, it } from 'vitest';
import { PointClient, TOOL } from '../support/open-points/client.js';

/** What public clients rely on when they run tasks and sessions, held against the mock without any choices. */

const SDK_REQUEST = {
  task: 'Book a table',
  response_model: null,
  url: null,
  metadata: null,
  files: null,
  agent: 'smooth',
  max_steps: 32,
  device: 'mobile',
  allowed_urls: null,
  enable_recording: true,
  profile_id: null,
  profile_read_only: false,
  session_id: null,
  show_cursor: false,
  stealth_mode: false,
  proxy_server: null,
  proxy_username: null,
  proxy_password: null,
  certificates: null,
  use_adblock: true,
  use_stealth: true,
  use_captcha_solver: null,
  additional_tools: null,
  custom_tools: null,
  experimental_features: null,
  extensions: null,
};

describe('a task request', () => {
  const status = (request: object) => new PointClient().sendForStatus('POST', '/task', request);
  const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, n]));

  it.each([
    ['as a client library sends it, nulls and all', SDK_REQUEST],
    ['without any field', {}],
    ['with fields that nobody knows', { task: 'x', colour: { of: ['money'] } }],
    [
      'with everything that may be set',
      {
        ...SDK_REQUEST,
        agent: 'smooth-lite',
        additional_tools: { screenshot: null, search: { depth: 1 } },
        certificates: [{ file: 'QUJD', password: null, filters: ['*'] }],
        experimental_features: { fast: true },
        allowed_urls: ['https://*.example.com'],
        extensions: ['one'],
        custom_tools: [TOOL],
      },
    ],
    ['with 16 pairs of metadata', { metadata: keys(16) }],
    ['with metadata of every kind', { metadata: { a: 'x'.repeat(2048), b: 1.5, c: false } }],
    ['with 2 steps', { max_steps: 2 }],
    ['with 128 steps', { max_steps: 128 }],
  ])('%s is taken', async (_, request) => {
    expect(await status(request)).toBe(200);
  });

  it.each([
    ['17 pairs of metadata', { metadata: keys(17) }],
    ['2049 characters of metadata', { metadata: { a: 'x'.repeat(2049) } }],
    ['metadata that is nested', { metadata: { a: {} } }],
    ['1 step', { max_steps: 1 }],
    ['129 steps', { max_steps: 129 }],
    ['an unknown agent', { agent: 'rough' }],
    ['a tool without its output', { custom_tools: [{ ...TOOL, output: undefined }] }],
  ])('%s is too much', async (_, request) => {
    expect(await status({ task: 'x', ...request })).toBe(422);
  });
});

describe('a task', () => {
  it('has what clients read, with null for what is not there yet', async () => {
    const client = new PointClient();
    const { r } = await client.send('POST', '/task', SDK_REQUEST);
    expect(r).toMatchObject({
      status: 'running',
      output: null,
      credits_used: null,
      device: 'mobile',
      events: [],
    });
    expect([r.recording_url, r.downloads_url]).toEqual([null, null]);
    expect(r.created_at).toBe(Date.UTC(2026, 0, 1) / 1000);
  });

  it('has a live address that takes more parameters and names a browser in b', async () => {
    const client = new PointClient();
    const { r } = await client.send('POST', '/task', { task: null });
    const live = new URL(r.live_url);
    expect(atob(live.searchParams.get('b')!.replaceAll('-', '+').replaceAll('_', '/'))).toMatch(
      /^https:\/\/\S*browser-live/,
    );
    live.searchParams.set('interactive', 'true');
    live.searchParams.set('embed', 'true');
    expect((await client.mock.fetch(live)).status).toBe(200);
  });

  it('has the address of its recording as soon as it is done, in the list too', async () => {
    const client = new PointClient();
    const id = await client.createScriptedTask([{ service: 'finish' }]);
    const { status, recording_url } = (await client.poll(id)).r;
    expect(status).toBe('done');
    expect((await client.mock.fetch(recording_url)).status).toBe(200);
    expect((await client.send('GET', '/task')).r[0]).toMatchObject({ status, recording_url });
  });

  it('has no recording when it was stopped or none was wanted', async () => {
    const client = new PointClient();
    const stopped = await client.createSession();
    await client.send('DELETE', `/task/${stopped}`);
    const unwanted = await client.createScriptedTask([{ service: 'finish' }], { enable_recording: false });
    for (const id of [stopped, unwanted]) expect((await client.poll(id)).r.recording_url).toBe('');
  });

  it('has downloads once it has ended and downloads=true asks for them', async () => {
    const client = new PointClient();
    const id = await client.createScriptedTask([{ service: 'finish', after: '1s' }]);
    expect((await client.poll(id, 0, '&downloads=true')).r.downloads_url).toBeNull();
    await client.advance(1000);
    expect((await client.poll(id)).r.downloads_url).toBeNull();
    const { downloads_url } = (await client.poll(id, 0, '&downloads=true')).r;
    expect((await client.mock.fetch(downloads_url)).status).toBe(200);
  });

  it('is made twice when its request is sent twice', async () => {
    const client = new PointClient();
    expect(await client.createTask(SDK_REQUEST)).not.toBe(await client.createTask(SDK_REQUEST));
    expect((await client.send('GET', '/task')).r).toHaveLength(2);
  });
});

describe('the list of tasks', () => {
  it.each([1, 7, 32])('pages of %i by `t` name each of 40 tasks created in one second once', async (l) => {
    const client = new PointClient();
    const made: string[] = [];
    for (let n = 0; n < 40; n++) made.unshift(await client.createTask());
    const paged: string[] = [];
    for (let more = ''; ; ) {
      const page: { id: string; created_at: number }[] = (await client.send('GET', `/task?l=${l}${more}`)).r;
      if (page.length === 0) break;
      paged.push(...page.map(({ id }) => id));
      more = `&t=${page.at(-1)!.created_at}`;
    }
    expect(paged).toEqual(made);
  });

  it('goes by creation time, tasks of the past among them', async () => {
    const past = (ago: string) => ({ id: ago, request: { task: 'x' }, status: 'done' as const, ago });
    const tasks = [past('1h'), past('3h'), past('2h'), past('7200s')];
    const client = new PointClient({}, { fixtures: { tasks } });
    const page = async (query: string) => (await client.send('GET', `/task?${query}`)).r;
    const whole = await page('l=128');
    expect(whole.map(({ id }: { id: string }) => id)).toEqual(['1h', '7200s', '2h', '3h']);
    for (const [n, { created_at }] of whole.entries())
      expect(await page(`t=${created_at}`)).toEqual(whole.slice(n + 1));
  });
});

describe('the end of a session', () => {
  const goto = { id: 'late', payload: { name: 'goto', input: { url: 'https://example.com' } } };

  it('by DELETE: once; the second finds nothing to stop', async () => {
    const client = new PointClient();
    const id = await client.createSession();
    expect((await client.send('DELETE', `/task/${id}`)).body).toEqual({ r: true });
    expect(await client.sendForStatus('DELETE', `/task/${id}`)).toBe(404);
    expect((await client.poll(id)).r.status).toBe('cancelled');
  });

  it('by a close event: its result is true, DELETE comes too late, events are refused', async () => {
    const client = new PointClient();
    const id = await client.createSession();
    await client.sendAction(id, 'close');
    await client.advance(1000);
    const [{ payload }] = (await client.poll(id)).r.events;
    expect(payload).toEqual({
      code: 200,
      output: { output: true, credits_used: 0, duration: expect.any(Number) },
    });
    await client.advance(2000);
    expect((await client.poll(id)).r.status).toBe('done');
    expect(await client.sendForStatus('DELETE', `/task/${id}`)).toBe(404);
    expect((await client.sendAction(id, 'goto', {}, goto)).status).toBe(400);
  });

  it('an event to a task that there is not gets 404', async () => {
    expect((await new PointClient().sendAction('none', 'goto', {}, goto)).status).toBe(404);
  });

  it('its data can be deleted afterwards only', async () => {
    const client = new PointClient();
    const id = await client.createSession();
    expect(await client.sendForStatus('DELETE', `/task/${id}/data`)).toBe(400);
    await client.send('DELETE', `/task/${id}`);
    expect((await client.send('DELETE', `/task/${id}/data`)).body).toEqual({ r: true });
  });
});
