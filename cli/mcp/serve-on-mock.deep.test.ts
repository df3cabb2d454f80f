import { request } from 'node:http';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { endAll, RunningCommand, startMock } from '../../test/support/cli/command.js';
import { connectHttp, createDirectory, writeClient } from '../../test/support/mcp/connect.js';

afterAll(endAll);

const ACCEPT = 'application/json, text/event-stream';

/** A request as a program or a page could send it; fetch would refuse some of its headers. */
function send(
  address: string,
  { method = 'POST', headers = {}, body = '' }: { method?: string; headers?: object; body?: string },
): Promise<{ status: number | undefined; text: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(
      address,
      { method, headers: { 'content-type': 'application/json', accept: ACCEPT, ...headers } },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part: string) => {
          text += part;
        });
        response.on('error', reject).on('end', () => resolve({ status: response.statusCode, text }));
      },
    );
    sent.on('error', reject).end(body);
  });
}

const initialize = (protocolVersion = '2025-11-25') =>
  JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion, capabilities: {}, clientInfo: { name: 'test', version: '1' } },
  });

const TOOL = { name: 'get_weather', description: 'd', inputs: {}, output: 'o' };

describe('/__mcp of a mock', () => {
  it('shows and changes this mock, of one key or of all', async () => {
    const mock = await startMock('--quiet');
    const { client, call, read } = await connectHttp(`${mock.base_url}/__mcp?key=mine`);
    const { call: callAll } = await connectHttp(`${mock.base_url}/__mcp`);
    expect(client.getInstructions()).toContain(`the mock at ${mock.base_url}: point the client at it`);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name).sort()).toEqual([
      ...['advance_clock', 'explain', 'list_scenarios', 'next_scenario', 'set_faults', 'timeline', 'wait'],
    ]);
    await call('next_scenario', { name: 'tool-calls/one-call' });
    await call('set_faults', { rules: ['fail 503 of poll times 1'] });
    const create = async (apikey: string) => {
      const body = { task: 'Weather in Paris?', custom_tools: [TOOL] };
      return (await mock.call('POST', '/task', body, { apikey })).body.r.id as string;
    };
    const [mine, other] = [await create('mine'), await create('other')];
    const poll = async (id: string, apikey: string) =>
      (await mock.call('GET', `/task/${id}`, undefined, { apikey })).status;
    expect([await poll(mine, 'mine'), await poll(other, 'other')]).toEqual([503, 202]);
    expect((await call('wait', { task: mine, event: 'weather' })).value).toMatchObject({ holds: true });
    const { value, meta } = await call('timeline');
    expect(value.timeline).toMatch(/follows scenario tool-calls\/one-call/);
    expect(value.timeline).not.toContain(other.slice(0, 8));
    expect((await callAll('timeline')).value.timeline).toContain(other.slice(0, 8));
    expect(meta).toEqual({ 'taskdouble/page': 'taskdouble://pages/mock' });
    const page = JSON.parse(await read('taskdouble://pages/mock'));
    expect(page.exchanges.map(({ kind }: { kind: string }) => kind)).toEqual(['create', 'poll']);
    expect(await read(`taskdouble://tasks/${mine}/scenario`)).toContain('get_weather');
    expect((await callAll('set_faults', { rules: ['delay 1ms', 'slow 1s'] })).error).toContain('slow');
    expect((await callAll('set_faults')).value).toEqual({ rules: [], more: 0 });
    expect(await poll(mine, 'mine')).toBe(202);
  });

  it('leads from a client with a defect to a green verdict', async () => {
    const directory = createDirectory();
    writeClient(directory, 'buggy/lost-answer-is-failure.mjs');
    const flags = ['mock', '--port', '0', '--json', '--quiet', '--client', 'node client.mjs'];
    const command = new RunningCommand(flags, { cwd: directory });
    const [line] = await command.waitForOutput(/^\{.*\}$/m, 'stdout');
    const { call } = await connectHttp(`${JSON.parse(line!).base_url}/__mcp`);
    const run = await call('run_client', { scenario: 'races/reply-response-lost' });
    expect(run.value).toMatchObject({ problem: '', findings: [{ rule: 'replies/same-again' }] });
    expect((await call('check_client', { client: 'touch harm' })).error).toBe(
      'client: expected one of "node client.mjs"',
    );
    const found = await call('check_client', { scenarios: ['races/reply-response-lost'] });
    expect(found.value).toMatchObject({ exit_code: 1, verdict: 'violations' });
    const races = await call('explore_client', { scenarios: ['tool-calls/one-call'], schedules: 40 });
    const [race] = races.value.races as { file: string }[];
    writeClient(directory, 'reference.mjs');
    expect((await call('replay_race', { file: race!.file })).value).toMatchObject({ verdict: 'conforms' });
    expect((await call('replay_race', { file: join('/etc', 'hostname') })).error).toContain('outside');
    const checked = await call('check_client', { scenarios: ['races/reply-response-lost'] });
    expect(checked.value).toMatchObject({ exit_code: 0, verdict: 'conforms', causes: [] });
  });

  it('is under the protection of the admin API', async () => {
    const open = await startMock('--quiet', '--host', '0.0.0.0');
    const address = `${open.base_url}/__mcp`;
    for (const headers of [{ origin: 'https://evil.example' }, { host: 'evil.example' }]) {
      const { status, text } = await send(address, { headers, body: initialize() });
      expect([status, JSON.parse(text).detail], JSON.stringify(headers)).toEqual([
        403,
        expect.stringMatching(/^The Model Context Protocol is [^\n]+\.$/),
      ]);
    }
    const closed = await startMock('--quiet', '--host', '0.0.0.0', '--admin-token', 'secret');
    const refused = await send(`${closed.base_url}/__mcp`, { body: initialize() });
    expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('requires its token')]);
    const { call } = await connectHttp(`${closed.base_url}/__mcp`, { authorization: 'Bearer secret' });
    expect((await call('timeline')).error).toBeUndefined();
  });

  it('responds to any input with one sentence of JSON, and goes on', async () => {
    const mock = await startMock('--quiet');
    const address = `${mock.base_url}/__mcp`;
    const rpc = (method: string, params: object = {}) =>
      JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const hostile: [string, Parameters<typeof send>[1], number][] = [
      ['no Accept header', { headers: { accept: '' }, body: initialize() }, 406],
      ['another method', { method: 'PUT' }, 405],
      ['a stream, which there is none of', { method: 'GET' }, 405],
      ['the end of a connection, which there is none of', { method: 'DELETE' }, 405],
      ['no JSON', { body: '{"jsonrpc":' }, 400],
      ['no content type', { headers: { 'content-type': 'text/plain' }, body: initialize() }, 415],
      ['too large', { body: `"${'x'.repeat(1024 * 1024)}"` }, 413],
      ['deep', { body: '['.repeat(100_000) }, 400],
      ['an unknown tool', { body: rpc('tools/call', { name: 'rm', arguments: {} }) }, 200],
      ['no such resource', { body: rpc('resources/read', { uri: 'taskdouble://docs/../..' }) }, 200],
      ['a wrong argument', { body: rpc('tools/call', { name: 'timeline', arguments: { task: 7 } }) }, 200],
      ['a prototype', { body: rpc('tools/call', { name: '__proto__', arguments: {} }) }, 200],
      [
        'a long argument',
        { body: rpc('tools/call', { name: 'explain', arguments: { name: 'x'.repeat(301) } }) },
        200,
      ],
    ];
    for (const [what, given, status] of hostile) {
      const response = await send(address, given);
      expect(response.status, `${what}: ${response.text}`).toBe(status);
      const text = response.text.replace(/^event: message\ndata: /, '');
      const { detail, error, result } = JSON.parse(text);
      const said = detail ?? error?.message ?? (result.isError ? result.content[0].text : undefined);
      expect(said, what).toMatch(/^[^\n]{3,400}$/);
      expect(response.text, what).not.toMatch(/\bat .*:\d+:\d+|node_modules/);
    }
    // Each request stands alone: a second beginning is one more.
    for (const version of ['2025-11-25', '1999-01-01'])
      expect((await send(address, { body: initialize(version) })).status).toBe(200);
    expect((await mock.callAdmin('GET', '/health')).status).toBe(200);
    expect(mock.command.stderr).toBe('');
    await mock.command.stop();
    await expect(send(address, { body: initialize() })).rejects.toThrow('ECONNREFUSED');
  });

  it('ends a call in progress with the mock', async () => {
    const mock = await startMock('--quiet');
    const params = { name: 'wait', arguments: { status: 'done', timeout_s: 60 } };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    const failed = expect(send(`${mock.base_url}/__mcp`, { body })).rejects.toThrow(/aborted|socket hang up/);
    await expect.poll(async () => (await mock.callAdmin('GET', '/health')).status).toBe(200);
    expect((await mock.command.stop()).code).toBe(143);
    await failed;
  });
});
