import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { endAll, RunningCommand, run, startMock } from '../test/support/cli/command.js';

const _ROOT = join(import.meta.dirname, '..');
const directory = mkdtempSync(join(tmpdir(), 'taskdouble-replay-'));
afterEach(endAll);
afterAll(() => rmSync(directory, { recursive: true }));

const linesOf = (file: string) =>
  readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

describe('taskdouble mock --replay', () => {
  it('reports deviating requests, and starts over on reset', async () => {
    const file = join(directory, 'short.jsonl');
    const mock = await startMock('--journal', file);
    await mock.call('POST', '/topup?amount=5');
    await mock.command.stop();
    const command = new RunningCommand(['mock', '--replay', file, '--port', '0']);
    const [, base_url] = await command.waitForOutput(/base URL +(\S+)/, 'stdout');
    await command.waitForOutput(/short\.jsonl, 1 exchange$/m, 'stdout');
    const top = () =>
      fetch(`${base_url}/api/v1/topup?amount=5`, { method: 'POST', headers: { apikey: 'k' } });
    expect((await top()).status).toBe(200);
    expect((await top()).status).toBe(409);
    await command.waitForOutput(/^replay {2}409 POST \/api\/v1\/topup\?amount=5 was sent more often/m);
    await fetch(`${base_url}/__admin/reset`, { method: 'POST' });
    expect((await top()).status).toBe(200);
    expect((await command.stop('SIGINT')).code).toBe(130);
  });

  it('keeps no key, wherever it stands, responds the same with another key, and is for its owner only', async () => {
    const file = join(directory, 'keys.jsonl');
    const say = async (base_url: string, key: string) => {
      const headers = { apikey: key, 'user-agent': `sdk (${key})`, referer: `${base_url}/?k=${key}` };
      const form = new FormData();
      form.append('file', new Blob([`the key is ${key}`]), 'x.txt');
      const body = JSON.stringify({ task: `use ${key}`, metadata: { [key]: 1 } });
      const json = { ...headers, 'content-type': 'application/json' };
      const created = await fetch(`${base_url}/api/v1/task?x=${key}`, {
        method: 'POST',
        headers: json,
        body,
      });
      const upload = await fetch(`${base_url}/api/v1/file`, { method: 'POST', headers, body: form });
      return [(await created.json()).r.id, (await upload.json()).r.id];
    };
    const mock = await startMock('--journal', file);
    const then = await say(mock.base_url, 'cmzr-of-the-recording');
    const { body } = await mock.callAdmin('GET', '/journal');
    expect(JSON.stringify(body)).not.toContain('cmzr');
    await mock.command.stop();
    const texts = linesOf(file).map(({ request }) => [request, atob(request.body_base64 ?? '')]);
    expect(JSON.stringify(texts)).not.toContain('cmzr');
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
    const replay = await startMock('--replay', file);
    expect(await say(replay.base_url, 'cmzr-of-another')).toEqual(then);
    expect((await replay.callAdmin('GET', '/health')).body).toMatchObject({
      next: null,
      replay: { refused: 0 },
    });
  });
});

describe('taskdouble mock --replay: mistakes', () => {
  const good =
    '{"seq":1,"kind":"x","organisation":"o","request":{"method":"GET","url":"/","headers":{},"at":1}}';

  it.each([
    ['', /bad\.jsonl:1:1: expected exchanges as "taskdouble mock --journal" writes them.*found nothing/],
    ['nonsense\n', /bad\.jsonl:1:1: expected exchanges.*found invalid or incomplete JSON/],
    ['\n\n{"seq":0}\n', /bad\.jsonl:3:1: .*expected the key "kind", which is missing/],
    [`${good.slice(0, 40)}\n`.repeat(2), /bad\.jsonl:1:1: .*found invalid or incomplete JSON/],
    ['{"version":1,"organisations":[]}', /bad\.jsonl:1:1: .*expected the key "seq", which is missing/],
  ])('%j: the line and what was expected, exit 2', async (text, message) => {
    const file = join(directory, 'bad.jsonl');
    writeFileSync(file, text);
    const { code, stderr } = await run(['mock', '--replay', file, '--port', '0']);
    expect([code, stderr.trim().split('\n')]).toEqual([2, [expect.stringMatching(message)]]);
  });

  it('a file that is not there: exit 2', async () => {
    const { code, stderr } = await run(['mock', '--replay', join(directory, 'none.jsonl')]);
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('none.jsonl: expected a file or directory, found nothing'),
    ]);
  });

  it('a HAR of other traffic: exit 3, as other commands that read recordings', async () => {
    const file = join(directory, 'other.har');
    const request = { method: 'GET', url: 'https://cdn.example/logo.svg' };
    const entries = [{ startedDateTime: '2026-01-01T00:00:00Z', request }];
    writeFileSync(file, JSON.stringify({ log: { entries } }));
    const { code, stdout, stderr } = await run(['mock', '--replay', file, '--port', '0']);
    expect([code, stdout]).toEqual([3, '']);
    expect(stderr).toContain(
      'other.har has no requests to this API (1 to other addresses), so that there is nothing',
    );
  });

  it.each([
    ['--scenarios', 'x'],
    ['--fixtures', 'x'],
    ['--dialect', 'strict'],
    ['--seed', '1'],
    ['--clock', 'manual'],
    ['--speed', '2'],
    ['--network', 'delay 1s'],
    ['--rate-limit', '5'],
    ['--max-exchanges', '5'],
    ['--max-finished-tasks', '5'],
  ])('%s makes no sense beside it', async (...flags) => {
    const { code, stderr } = await run(['mock', '--replay', 'x', ...flags]);
    expect(code).toBe(2);
    expect(stderr).toContain(`--replay plays what was recorded: leave ${flags[0]} out.`);
  });

  it('its own journal is not the one it reads', async () => {
    const file = join(directory, 'same.jsonl');
    writeFileSync(file, `${good}\n`);
    const { code, stderr } = await run(['mock', '--replay', file, '--journal', file]);
    expect([code, stderr]).toEqual([2, expect.stringContaining('the same file')]);
  });
});
