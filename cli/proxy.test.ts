import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { readRecording } from '../mock/exchange/readers/read-recording.js';
import { endAll, RunningCommand, run, startMock } from '../test/support/cli/command.js';
import { closeAll, send, startService } from '../test/support/proxy/servers.js';

const directory = mkdtempSync(join(tmpdir(), 'taskdouble-proxy-'));
afterEach(async () => {
  await endAll();
  await closeAll();
});
afterAll(() => rmSync(directory, { recursive: true }));

/** Starts the command, and reads its line. */
async function startProxy(...args: string[]) {
  const command = new RunningCommand(['proxy', ...args, '--port', '0', '--json']);
  const [line] = await command.waitForOutput(/\{.*\}/, 'stdout');
  return {
    command,
    ...(JSON.parse(line) as { base_url: string; port: number; admin_url: string; target: string }),
  };
}

const KEY = 'a-key-that-nobody-sees';

describe('taskdouble proxy', () => {
  it('says where it listens, passes on, and ends with the verdict on each side', async () => {
    const mock = await startMock('--clock', 'skipping', '--quiet');
    const [journal, har, report] = ['j.jsonl', 'p.har', 'r.json'].map((name) => join(directory, name)) as [
      string,
      string,
      string,
    ];
    const scenarios = join(directory, 'scenarios');
    mkdirSync(scenarios);
    writeFileSync(join(scenarios, 'find-tea.yaml'), 'mine');
    const proxy = await startProxy(
      mock.base_url,
      '--scenario-out',
      scenarios,
      '--journal',
      journal,
      '--har',
      har,
      '--report',
      `json=${report}`,
    );
    expect(proxy).toMatchObject({ admin_url: `${proxy.base_url}/__admin`, target: mock.base_url, seed: 1 });
    const headers = { apikey: KEY, 'content-type': 'application/json' };
    const created = await send(`${proxy.base_url}/api/v1/task`, {
      method: 'POST',
      headers,
      body: '{"task":"Find tea"}',
    });
    const { id } = JSON.parse(created.body.toString()).r;
    for (let status = 0; status !== 200; )
      ({ status } = await send(`${proxy.base_url}/api/v1/task/${id}?event_t=0`, { headers }));
    const { code, stdout, stderr } = await proxy.command.stop('SIGINT');
    expect([code, stdout.trim().split('\n').length]).toEqual([0, 1]);
    expect(stderr).toMatch(/^created \S+ {2}org-1$/m);
    expect(stderr).toMatch(/^verdict the client of http:\S+ conforms: 0 failed/m);
    expect(stderr).toMatch(/^verdict http:\S+ conforms: 0 failed/m);
    expect(readFileSync(join(scenarios, 'find-tea.yaml'), 'utf8')).toBe('mine');
    const scenario = join(scenarios, 'find-tea-2.yaml');
    expect(await run(['scenarios', 'validate', scenario])).toMatchObject({ code: 0 });
    const written = [journal, har, report, scenario].map((path) => readFileSync(path, 'utf8'));
    const { exchanges } = await readRecording(journal);
    expect(exchanges.length).toBeGreaterThan(1);
    expect((await readRecording(har)).exchanges).toHaveLength(exchanges.length);
    expect(JSON.parse(written[2]!).checks[0]).toMatchObject({
      id: 'client#auth/key-in-query',
      side: 'client',
    });
    expect([...written, stdout, stderr].join()).not.toContain(KEY);
  });

  it.each([
    ['any', 1],
    ['service', 0],
  ])('--fail-on %s exits with %i where the client broke a rule', async (side, expected) => {
    const service = await startService((request, response) => {
      const { apikey } = request.headers;
      response.writeHead(apikey ? 200 : 401, { 'content-type': 'application/json' });
      response.end(apikey ? '{"r":{}}' : '{"detail":"no key"}');
    });
    const proxy = await startProxy(service, '--fail-on', side, '--report', 'pretty');
    await send(`${proxy.base_url}/api/v1/usage`);
    await send(`${proxy.base_url}/api/v1/usage`, { headers: { apikey: KEY } });
    const { code, stdout, stderr } = await proxy.command.stop();
    expect(code).toBe(expected);
    expect(stderr).toMatch(/^finding client auth\/key-sent \(AUTH-01\)/m);
    expect(stdout).toMatch(/^the client of \S+ does not conform: 1 failed/m);
  });

  it('exits with 3 where nothing was judged, or one side showed nothing', async () => {
    const silent = await startService((request) => request.socket.destroy());
    const idle = await startProxy(silent, '--fail-on', 'none');
    await send(`${idle.base_url}/no/request/of/the/api`);
    expect((await idle.command.stop()).code).toBe(3);
    const half = await startProxy(silent);
    await send(`${half.base_url}/api/v1/usage`, { headers: { apikey: KEY } });
    const { code, stderr } = await half.command.stop();
    expect([code, stderr]).toEqual([3, expect.stringMatching(/nothing could be tested/)]);
  });

  it.each([
    [['ftp://x'], 2, /^taskdouble: TARGET: expected an address/],
    [['http://me:secret@host'], 2, /^taskdouble: TARGET: expected an address without a user name/],
    [['http://127.0.0.1:1'], 3, /^taskdouble: TARGET: nothing listens at 127\.0\.0\.1:1/],
    [
      ['no-such-host.invalid'],
      3,
      /^taskdouble: TARGET: the host name no-such-host\.invalid cannot be resolved/,
    ],
    [['http://127.0.0.1:1', '--network', 'fial of poll'], 2, /^taskdouble: --network:1:1: /],
    [['http://127.0.0.1:1', '--fail-on', 'me'], 2, /Allowed choices are any, client, service, none/],
    [['http://127.0.0.1:1', '--report', 'xml'], 2, /^taskdouble: --report: expected one of/],
    [[], 2, /missing required argument 'target'/],
  ])('%j: exit %i and one line', async (args, expected, line) => {
    const { code, stdout, stderr } = await run(['proxy', ...args]);
    expect([code, stdout, stderr]).toEqual([expected, '', expect.stringMatching(line)]);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(stderr).not.toContain('secret');
  });

  it('is no target of its own', async () => {
    const service = await startService((_, response) => response.end('{}'));
    const { port } = new URL(service);
    await closeAll();
    const { code, stderr } = await run(['proxy', `localhost:${port}`, '--port', port]);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/is the address of the proxy itself/)]);
  });
});
