import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { splitCommandLine } from '../../conformance/common/shell.js';
import { Mock } from '../../mock/mock.js';
import { CommandRuns, createClientRuns } from './client-runs.js';

const FIXTURES = join(import.meta.dirname, '../../fixtures');
const TIMERS = { set: () => {}, clear: () => {} };

/** A mock with a client, and its admin API. */
async function startMock(command: readonly string[]) {
  const runs = new CommandRuns(command, FIXTURES, TIMERS, (error) => expect.fail(String(error)));
  const mock = new Mock({ clientRuns: runs });
  const { baseUrl, adminUrl } = await mock.listen();
  runs.attach(mock, baseUrl);
  onTestFinished(async () => {
    await runs.stop();
    await mock.close();
  });
  const call = async (method: string, path: string, body?: object, headers = {}) => {
    const response = await fetch(`${adminUrl}${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    // biome-ignore lint/suspicious/noExplicitAny: what the API responds.
    return { status: response.status, body: (await response.json()) as any };
  };
  const awaitEnd = async () => {
    await expect.poll(() => runs.view().runs.at(-1)?.state).not.toBe('running');
    return (await call('GET', '/client/runs')).body.runs.at(-1);
  };
  return { mock, runs, call, awaitEnd };
}

describe('the client of a mock', () => {
  it('runs with a scenario and a key of its own, and gets the verdict of "taskdouble client"', async () => {
    const buggy = join(FIXTURES, 'clients/buggy/lost-answer-is-failure.mjs');
    const { mock, call, awaitEnd } = await startMock(['node', buggy]);
    await mock.network.set('delay 1ms');
    const started = await call('POST', '/client/runs', { scenario: 'races/reply-response-lost' });
    expect(started).toMatchObject({ status: 200, body: { id: 1, state: 'running', organisation: 'org-1' } });
    expect((await call('POST', '/client/runs', {})).status).toBe(409);
    const run = await awaitEnd();
    expect(run).toMatchObject({ state: 'ended', exit_code: 0, scenario: 'races/reply-response-lost' });
    const found = run.findings.filter(({ level }: { level: string }) => level === 'must');
    expect(found.map(({ rule }: { rule: string }) => rule)).toEqual(['replies/same-again']);
    expect(mock.journal({ key: 'client-1' }).some(({ seq }) => seq === found[0].evidence.at(-1))).toBe(true);
    // The rules for all keys apply, too.
    const [{ rules } = { rules: [] }] = mock.network.list('client-1');
    expect(rules[0]).toMatchObject({ rule: { network: 'delay' }, fired: expect.any(Number) });
    const { parts, next } = (await call('GET', '/client/runs/1')).body;
    expect(parts[0]).toMatchObject({ from: 'stdout', text: expect.stringContaining('"tool_runs"') });
    expect((await call('GET', `/client/runs/1?since=${next}`)).body).toEqual({
      left_out: 0,
      parts: [],
      next,
    });
  });

  it('runs without a scenario: it gets no job, and only its exchanges are judged', async () => {
    const code = `const { TASKDOUBLE_BASE_URL: url, TASKDOUBLE_API_KEY: apikey, TASKDOUBLE_JOB: job } = process.env;
      const response = await fetch(url + '/api/v1/usage', { headers: { apikey } });
      console.log(response.status, apikey, String(job), process.argv[1]); process.exit(3)`;
    const { call, awaitEnd } = await startMock([
      'node',
      '--input-type=module',
      '-e',
      code,
      '--',
      '{base_url}',
    ]);
    await call('POST', '/client/runs');
    expect(await awaitEnd()).toMatchObject({ state: 'ended', exit_code: 3, findings: [] });
    const { parts } = (await call('GET', '/client/runs/1')).body;
    expect(parts[0].text).toMatch(/^200 client-1 undefined http:\/\/127\.0\.0\.1:\d+\n$/);
  });

  it('is ended, and keeps only the end of what it printed', async () => {
    const code = `process.stdout.write('a'.repeat(400_000) + 'end', () => setInterval(() => {}, 1000))`;
    const { runs, call } = await startMock(['node', '-e', code]);
    await call('POST', '/client/runs', {});
    await expect.poll(() => runs.view().runs[0]!.printed).toBe(400_003);
    const { parts, left_out: leftOut } = (await call('GET', '/client/runs/1')).body;
    const text = parts.map((part: { text: string }) => part.text).join('');
    expect(text.endsWith('aend')).toBe(true);
    expect(text.length).toBeLessThanOrEqual(256 * 1024);
    expect(leftOut + text.length).toBe(400_003);
    const { body } = await call('DELETE', '/client/runs');
    expect(body).toMatchObject({ is_watching: false, runs: [{ state: 'stopped', findings: [] }] });
  });

  it('takes no command, argument or path from a request, and no request of another origin', async () => {
    const { runs, call } = await startMock(['node', '-e', '0']);
    for (const body of [{ command: 'id' }, { args: ['x'] }, { cwd: '/' }, { scenario: '../../etc/passwd' }])
      expect((await call('POST', '/client/runs', body)).status).toBeGreaterThanOrEqual(404);
    const foreign = { origin: 'http://evil.example' };
    for (const [method, path] of [
      ['POST', '/client/runs'],
      ['DELETE', '/client/runs'],
      ['GET', '/client/runs'],
      ['GET', '/client/runs/1'],
    ] as const)
      expect((await call(method, path, undefined, foreign)).status, method + path).toBe(403);
    expect(runs.view().runs).toEqual([]);
    expect((await call('GET', '/client/runs/7')).status).toBe(404);
  });

  it('requires the admin token', async () => {
    const runs = new CommandRuns(['node', '-e', '0'], FIXTURES, TIMERS, () => {});
    const mock = new Mock({ clientRuns: runs, adminToken: 'secret' });
    const response = await mock.fetch('http://mock/__admin/client/runs', { method: 'POST' });
    expect(response.status).toBe(403);
    expect(runs.view().runs).toEqual([]);
  });

  it('does not exist without a command', async () => {
    const response = await new Mock().fetch('http://localhost/__admin/client/runs', { method: 'POST' });
    expect(response.status).toBe(404);
  });

  it('is a command that exists, with quotes as in a shell', () => {
    expect(splitCommandLine(`python3 "my client.py" --x='a b' c\\ d "e\\"f" ''`)).toEqual([
      'python3',
      'my client.py',
      '--x=a b',
      'c d',
      'e"f',
      '',
    ]);
    expect(() => createClientRuns(`node "x`, () => {})).toThrow(/--client: a quote is not closed/);
    expect(() => createClientRuns('no-such-program-7 x', () => {})).toThrow(/there is no such program/);
  });
});
