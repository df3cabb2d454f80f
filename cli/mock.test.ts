import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { endAll, run, startMock } from '../test/support/cli/command.js';

const directory = mkdtempSync(join(tmpdir(), 'taskdouble-mock-'));
afterEach(endAll);
afterAll(() => rmSync(directory, { recursive: true }));

function file(name: string, text: string): string {
  const path = join(directory, name);
  writeFileSync(path, text);
  return path;
}

function scenarioText(output: string): string {
  return `title: The agent says ${output}\nrequest: { task: Say it }\ntimeline:\n  - { service: finish, output: ${output} }\n`;
}

const MANUAL_START_ISO = '2026-01-01T00:00:00.000Z';

describe('taskdouble mock: where it listens', () => {
  it('--port 0 takes any port, --port N that one', async () => {
    const first = await startMock();
    expect(first.port).toBeGreaterThan(0);
    expect(first.base_url).toBe(`http://127.0.0.1:${first.port}`);
    expect(first.admin_url).toBe(`${first.base_url}/__admin`);
    await first.command.stop();
    const second = await startMock('--port', String(first.port));
    expect(second.port).toBe(first.port);
    expect((await second.call('GET', '/usage')).status).toBe(200);
  });

  it.runIf(process.platform === 'linux')('--host opens other addresses, and warns of it', async () => {
    const mock = await startMock('--host', '0.0.0.0');
    await mock.command.waitForOutput(/other machines can reach this mock/);
    // The default host would not respond here.
    expect((await fetch(`http://127.0.0.2:${mock.port}/api/v1/usage`)).status).toBe(401);
  });

  it('--origin is the base of the addresses in responses', async () => {
    const mock = await startMock('--origin', 'http://mock.example:8080/', '--clock', 'skipping');
    await mock.call('POST', '/task', { task: 'Find tea' });
    const { r } = (await mock.call('GET', '/task?l=1')).body;
    expect(r[0].live_url).toMatch(/^http:\/\/mock\.example:8080\/live\//);
    const wrong = await run(['mock', '--origin', 'mock:4010']);
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('http://mock:4010')]);
  });

  it('does not warn for an address of this machine', async () => {
    const mock = await startMock('--host', 'localhost');
    expect(mock.base_url).toBe(`http://localhost:${mock.port}`);
    expect((await mock.command.stop()).stderr).toBe('');
  });
});

describe('taskdouble mock: the rules about clients', () => {
  it('has findings at once after the start', async () => {
    const mock = await startMock();
    const { id } = (await mock.call('POST', '/task', { task: 'Find tea' })).body.r;
    await mock.call('GET', `/task/${id}?event_t=5`);
    const response = await fetch(`${mock.admin_url}/findings`);
    const { findings } = (await response.json()) as { findings: { rule: string }[] };
    expect(findings.map(({ rule }) => rule)).toEqual(['polling/event-t']);
  });

  it('--verbose compares no times of a key whose clock is manual', async () => {
    const mock = await startMock('--verbose', '--log-format', 'json');
    const poll = async (apikey: string, isEnough = () => true) => {
      const headers = { apikey, 'content-type': 'application/json' };
      const call = async (path: string, options: RequestInit = {}) =>
        (await (await fetch(`${mock.base_url}/api/v1${path}`, { ...options, headers })).json()) as {
          r: { id: string };
        };
      const { id } = (await call('/task', { method: 'POST', body: '{"task":"Find tea"}' })).r;
      // On a busy machine there may be a pause before a poll.
      for (let polls = 0; polls < 9 || !isEnough(); polls++) await call(`/task/${id}?event_t=0`);
      return id;
    };
    const body = '{"mode":"manual"}';
    await fetch(`${mock.admin_url}/clock?key=manual`, { method: 'POST', body });
    await poll('manual');
    const id = await poll('real', () => mock.command.stderr.includes('polling/pace'));
    const lines = (await mock.command.stop()).stderr
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const hasty = lines.filter(({ rule }) => rule === 'polling/pace').map(({ task }) => task);
    expect([...new Set(hasty)]).toEqual([id]);
  });
});

describe('taskdouble mock: what the tasks do', () => {
  it('--scenarios takes files and directories', async () => {
    const one = file('one.yaml', scenarioText('one'));
    const other = mkdtempSync(join(directory, 'more-'));
    writeFileSync(join(other, 'two.yaml'), scenarioText('two').replace('Say it', 'Say two'));
    const mock = await startMock('--scenarios', one, '--scenarios', other);
    const said = async (task: string) => {
      const { id } = (await mock.call('POST', '/task', { task })).body.r;
      return (await mock.call('GET', `/task/${id}`)).body.r.output;
    };
    expect([await said('Say it'), await said('Say two')]).toEqual(['one', 'two']);
  });

  it('--scenarios are loaded again when they change; broken ones leave the old', async () => {
    const path = file('changing.yaml', scenarioText('before'));
    const mock = await startMock('--scenarios', path);
    const said = async () => {
      const { id } = (await mock.call('POST', '/task', { task: 'Say it' })).body.r;
      return (await mock.call('GET', `/task/${id}`)).body.r.output;
    };
    expect(await said()).toBe('before');
    writeFileSync(path, 'title: x\nrequest: { task: Say it }\ntimeline:\n  - { service: finsh }\n');
    await mock.command.waitForOutput(/changing\.yaml:4:\d+: .*did you mean finish/);
    await mock.command.waitForOutput(/the files loaded before stay in use/);
    expect(await said()).toBe('before');
    writeFileSync(path, scenarioText('after'));
    await mock.command.waitForOutput(/1 scenarios? loaded again/);
    expect(await said()).toBe('after');
  });

  it('--scenarios are watched again when their directory was away', async () => {
    const path = mkdtempSync(join(directory, 'away-'));
    writeFileSync(join(path, 'one.yaml'), scenarioText('one'));
    const mock = await startMock('--scenarios', path);
    rmSync(path, { recursive: true });
    await mock.command.waitForOutput(/the files loaded before stay in use/);
    mkdirSync(path);
    writeFileSync(join(path, 'one.yaml'), scenarioText('two'));
    writeFileSync(join(path, 'two.yaml'), scenarioText('three').replace('Say it', 'Say more'));
    await mock.command.waitForOutput(/2 scenarios loaded again/);
    writeFileSync(join(path, 'three.yaml'), scenarioText('four').replace('Say it', 'Say most'));
    await mock.command.waitForOutput(/3 scenarios loaded again/);
  });

  it('--fixtures fill organisations; a change holds for those opened or reset from then on', async () => {
    const path = file('fixtures.yaml', 'organisation: { credits: 7 }\n');
    const mock = await startMock('--fixtures', path);
    const credits = async (key: string) =>
      (await mock.call('GET', '/usage', undefined, { apikey: key })).body.r.credits;
    expect(await credits('a')).toBe(7);
    writeFileSync(path, 'organisation: { credits: 8 }\n');
    await mock.command.waitForOutput(/fixtures loaded again/);
    expect([await credits('a'), await credits('b')]).toEqual([7, 8]);
    await mock.callAdmin('POST', '/reset?key=a');
    expect(await credits('a')).toBe(8);
    writeFileSync(path, '{"organisation": {"credits": "many"}}');
    await mock.command.waitForOutput(/fixtures\.yaml:1:\d+: organisation\.credits: expected a whole number/);
    expect(await credits('c')).toBe(8);
  });

  it('--dialect takes a name or a file', async () => {
    const named = await startMock('--dialect', 'bare-results');
    expect((await fetch(`${named.base_url}/api/v1/usage`)).status).toBe(403);
    const mine = file('mine.yaml', 'title: Mine\nchoices:\n  task.first-status: waiting\n');
    const filed = await startMock('--dialect', mine);
    expect((await filed.call('POST', '/task', { task: 'x' })).body.r.status).toBe('waiting');
  });

  it('--seed decides the ids', async () => {
    const first = async (...flags: string[]) => {
      const mock = await startMock(...flags);
      const { id } = (await mock.call('POST', '/task', { task: 'x' })).body.r;
      await mock.command.stop();
      return { id, seed: mock.seed };
    };
    const [one, again, other] = [await first(), await first('--seed', '1'), await first('--seed', '2')];
    expect(one).toEqual(again);
    expect(one.seed).toBe(1);
    expect(other.seed).toBe(2);
    expect(other.id).not.toBe(one.id);
  });

  it('--clock manual stands still until it is moved', async () => {
    const mock = await startMock('--clock', 'manual');
    const { id } = (await mock.call('POST', '/task', { task: 'Find tea' })).body.r;
    expect((await mock.callAdmin('GET', '/clock?key=test')).body.clocks[0].iso).toBe(MANUAL_START_ISO);
    expect((await mock.call('GET', `/task/${id}`)).status).toBe(202);
    await mock.callAdmin('POST', '/clock?key=test', { advance: '10m' });
    expect((await mock.call('GET', `/task/${id}`)).status).toBe(200);
  });

  it('--clock skipping jumps when a poll would learn nothing', async () => {
    const mock = await startMock('--clock', 'skipping');
    const { id } = (await mock.call('POST', '/task', { task: 'Find tea' })).body.r;
    await mock.call('GET', `/task/${id}`);
    expect((await mock.call('GET', `/task/${id}`)).body.r.status).toBe('done');
  });

  it('--speed sets how fast the real clock goes', async () => {
    const mock = await startMock('--speed', '50');
    const [clock] = (await mock.callAdmin('GET', '/clock?key=test')).body.clocks;
    expect(clock).toMatchObject({ mode: 'real', speed: 50 });
  });
});

describe('taskdouble mock: what goes wrong', () => {
  it('--network takes rules in short and files', async () => {
    const short = await startMock('--network', 'fail 503 of create 1');
    const create = (mock: typeof short) => mock.call('POST', '/task', { task: 'x' });
    expect([(await create(short)).status, (await create(short)).status]).toEqual([503, 200]);
    const path = file('network.yaml', '- { network: fail, status: 502, of: { create: 2 } }\n');
    const filed = await startMock('--network', path);
    expect([(await create(filed)).status, (await create(filed)).status]).toEqual([200, 502]);
  });

  it('--rate-limit responds with 429 above it', async () => {
    const mock = await startMock('--rate-limit', '2/s', '--clock', 'manual');
    const statuses = [];
    for (let n = 0; n < 3; n++) statuses.push(await mock.call('GET', '/usage'));
    expect(statuses.map(({ status }) => status)).toEqual([200, 200, 429]);
    expect(statuses[2]!.headers.get('retry-after')).toBe('1');
  });
});

describe('taskdouble mock: retention and access', () => {
  it('--journal appends the exchanges, keys redacted, and is whole at the end', async () => {
    const path = file('journal.jsonl', '{"before":true}\n');
    const mock = await startMock('--journal', path);
    await mock.call('POST', '/task', { task: 'x' }, { apikey: 'secret-key' });
    await mock.call('GET', '/usage', undefined, { apikey: 'secret-key' });
    await mock.command.stop('SIGINT');
    const text = readFileSync(path, 'utf8');
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.map(({ before, kind }) => before ?? kind)).toEqual([true, 'create', 'getUsage']);
    expect(lines[1].response.status).toBe(200);
    expect(text).not.toContain('secret-key');
  });

  it('--admin-token is required by the admin API', async () => {
    const open = await startMock();
    expect((await open.callAdmin('GET', '/health')).status).toBe(200);
    const guarded = await startMock('--admin-token', 'sesame');
    expect((await guarded.callAdmin('GET', '/health')).status).toBe(403);
    const headers = { 'x-taskdouble-admin-token': 'sesame' };
    expect((await fetch(`${guarded.admin_url}/health`, { headers })).status).toBe(200);
  });

  it('--max-exchanges bounds the journal', async () => {
    const mock = await startMock('--max-exchanges', '2');
    for (let n = 0; n < 4; n++) await mock.call('GET', '/usage');
    const { exchanges } = (await mock.callAdmin('GET', '/journal')).body;
    expect(exchanges.map(({ seq }: { seq: number }) => seq)).toEqual([3, 4]);
  });

  it('--max-finished-tasks drops the oldest', async () => {
    const mock = await startMock('--max-finished-tasks', '1');
    const ids: string[] = [];
    for (let n = 0; n < 2; n++) {
      const { id } = (await mock.call('POST', '/task', { task: 'x' })).body.r;
      await mock.call('DELETE', `/task/${id}`);
      ids.push(id);
    }
    const statuses = await Promise.all(ids.map((id) => mock.call('GET', `/task/${id}`)));
    expect(statuses.map(({ status }) => status)).toEqual([404, 200]);
  });
});
