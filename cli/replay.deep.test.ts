import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { endAll, startMock } from '../test/support/cli/command.js';

const ROOT = join(import.meta.dirname, '..');
const directory = mkdtempSync(join(tmpdir(), 'taskdouble-replay-'));
afterEach(endAll);
afterAll(() => rmSync(directory, { recursive: true }));

/** The example client, run to its end; what it says of ids of its own run is none. */
function client(base_url: string, key: string, ...args: string[]): Promise<{ code: number; output: string }> {
  const env = { TASKDOUBLE_BASE_URL: base_url, TASKDOUBLE_API_KEY: key, POLL_MS: '20', DEADLINE_MS: '20000' };
  const child: ChildProcess = spawn('node', [join(ROOT, 'fixtures/clients/polling-client.mjs'), ...args], {
    env: { ...process.env, ...env },
  });
  let output = '';
  for (const stream of [child.stdout!, child.stderr!])
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
    });
  return new Promise((resolve) => child.once('close', (code) => resolve({ code: code ?? -1, output })));
}

async function talk(base_url: string, key: string) {
  const task = await client(base_url, key, 'task', 'Look up the weather in New York', '--tools');
  const session = await client(base_url, `${key}-2`, 'session', 'https://example.com');
  return [task, session];
}

const linesOf = (file: string) =>
  readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

describe('taskdouble mock --replay', () => {
  it('serves the example client, with a task, tools and a session, exactly what it got', async () => {
    const file = join(directory, 'talk.jsonl');
    const mock = await startMock('--journal', file, '--speed', '20');
    const then = await talk(mock.base_url, 'mine');
    expect(then.map(({ code }) => code)).toEqual([0, 0]);
    await mock.command.stop();
    expect(readFileSync(file, 'utf8')).not.toContain('mine');

    // On the very port, so that not even an address differs.
    const second = join(directory, 'second.jsonl');
    const replay = await startMock('--replay', file, '--journal', second, '--port', String(mock.port));
    expect(await talk(replay.base_url, 'of-another')).toEqual(then);
    expect((await replay.callAdmin('GET', '/health')).body).toMatchObject({
      next: null,
      replay: { refused: 0 },
    });
    const { stderr } = await replay.command.stop();
    expect(stderr).toBe('');
    const listResponses = (path: string) =>
      linesOf(path)
        .sort((a, b) => a.key - b.key || a.seq - b.seq)
        .map(({ request, response }) => [request.method, request.url, response.status, response.body]);
    const [was, is] = [listResponses(file), listResponses(second)];
    // The session's events carry ids that the client makes up anew.
    const own = /"id":"[0-9a-f-]{36}"/g;
    const plain = (all: unknown[][]) =>
      all.map((each) => JSON.stringify(each).replaceAll('\\"', '"').replaceAll(own, '<id>'));
    expect(plain(is)).toEqual(plain(was));
    const keyOne = linesOf(file).filter(({ key }) => key === 1).length;
    expect(is.slice(0, keyOne)).toEqual(was.slice(0, keyOne));
  });

  it('keeps large and binary bodies whole, and says where one is too large', async () => {
    const file = join(directory, 'large.jsonl');
    const mock = await startMock('--journal', file);
    const upload = async (base_url: string, size: number) => {
      const form = new FormData();
      form.append('file', new Blob([new Uint8Array(size).fill(255)]), 'x.bin');
      const init = { method: 'POST', headers: { apikey: 'test' }, body: form };
      return (await fetch(`${base_url}/api/v1/file`, init)).text();
    };
    const task = `Say ${'ö'.repeat(100_000)}`;
    const created = (await mock.call('POST', '/task', { task })).body;
    const then = [await upload(mock.base_url, 200_000), await upload(mock.base_url, 17 * 1024 * 1024)];
    await mock.command.waitForOutput(
      /leaves out the body of the request of exchange 3 of org-1 \(POST \/api\/v1\/file\): 178\d+ bytes, more than 16 MiB\./,
    );
    await mock.command.stop();
    expect(JSON.parse(readFileSync(file, 'utf8').split('\n')[0]!).request.body).toContain(
      'ö'.repeat(100_000),
    );
    const replay = await startMock('--replay', file);
    expect((await replay.call('POST', '/task', { task })).body.r.id).toBe(created.r.id);
    expect([await upload(replay.base_url, 200_000), await upload(replay.base_url, 17 * 1024 * 1024)]).toEqual(
      then,
    );
  });
});
