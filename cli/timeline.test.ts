import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { run } from '../test/support/cli/command.js';

const ROOT = join(import.meta.dirname, '..');
const CHROME = join(ROOT, 'fixtures/recordings/chrome.har');
const JOURNAL = join(ROOT, 'fixtures/conversations/tool-call.jsonl');
const directory = mkdtempSync(join(tmpdir(), 'taskdouble-timeline-'));
afterAll(() => rmSync(directory, { recursive: true }));

function save(name: string, content: string | Buffer): string {
  const path = join(directory, name);
  writeFileSync(path, content);
  return path;
}

describe('taskdouble timeline', () => {
  it('prints the conversation of a journal, with the events of the service at their times', async () => {
    const { code, stdout, stderr } = await run(['timeline', JOURNAL]);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout.split('\n').slice(0, 5)).toEqual([
      '   +0.000 s  client   POST /task → 200 task ba7b0e25 is running [follows scenario tool-calls/corrected-input (header)]',
      '   +0.000 s  client   GET /task/ba7b0e25?event_t=0 → 202 running',
      '   +0.300 s  service  tool_call get_weather (13316ec2) {"city":"?"}',
      '   +0.000 s  client   GET /task/ba7b0e25?event_t=0 → 202 running, tool_call get_weather (13316ec2) (+0.300 s)',
      '   +0.300 s  client   POST /task/ba7b0e25/event, reply to get_weather (13316ec2): 400 "city must be a name, got \\"?\\"" → 200',
    ]);
    expect(stdout).toMatch(/→ 200 done \(\+0\.200 s\)\n$/);
  });

  it('prints each organisation of a HAR file, and what its tasks wait for at the end', async () => {
    const { code, stdout, stderr } = await run(['timeline', CHROME]);
    expect(code).toBe(0);
    expect(stderr).toMatch(/^taskdouble: .*chrome\.har: 5 HAR entries about anything else are left out\n$/);
    expect(stdout).toMatch(/^ {2}key-\d+:\n.*POST \/task → 200/);
    expect(stdout).toMatch(
      /now {6}task t1 was running at the end of the recording; no reply to get_weather \(c1\)\n$/,
    );
  });

  it('takes several files, packed ones too, and one task of them', async () => {
    const packed = save('packed.jsonl.gz', gzipSync(readFileSync(JOURNAL)));
    const both = await run(['timeline', packed, CHROME]);
    expect(both.stdout.match(/^ {2}\S.*:$/gm)).toHaveLength(3);
    const one = await run(['timeline', packed, CHROME, '--task', 't1']);
    expect(one.stdout).toContain('/task/t1');
    expect(one.stdout).not.toContain('ba7b0e25');
  });

  it('prints neither keys nor passwords', async () => {
    const line = JSON.parse(readFileSync(JOURNAL, 'utf8').split('\n', 1)[0]!);
    line.request.headers.apikey = 'sk-very-secret-key';
    line.request.body = JSON.stringify({ task: 'x', password: 'hunter2' });
    line.request.url = '/api/v1/task?note=sk-very-secret-key';
    const { code, stdout } = await run(['timeline', save('secret.jsonl', `${JSON.stringify(line)}\n`)]);
    expect(code).toBe(0);
    expect(stdout).toContain('POST /task');
    expect(stdout).not.toMatch(/sk-very|hunter2/);
  });

  it.each([
    [2, [], /missing required argument 'file'/],
    [2, [join(ROOT, 'no-such-file.har')], /no-such-file\.har/],
    [2, [join(ROOT, 'README.md')], /README\.md/],
    [
      2,
      [CHROME, '--task', 't2'],
      /^taskdouble: --task: there is no task "t2" in .*chrome\.har; did you mean t1\?/,
    ],
    [2, [CHROME, '--taks', 't1'], /unknown option '--taks'/],
  ])('ends with %i for %j', async (code, args, message) => {
    const ended = await run(['timeline', ...args]);
    expect([ended.code, ended.stdout]).toEqual([code, '']);
    expect(ended.stderr).toMatch(message);
    expect(ended.stderr.trim()).not.toContain('\n');
  });

  it('ends with 3 for a recording without a request to this API', async () => {
    const empty = save('empty.har', JSON.stringify({ log: { version: '1.2', entries: [] } }));
    const { code, stderr } = await run(['timeline', empty]);
    expect([code, stderr]).toEqual([
      3,
      `taskdouble: ${empty}: there is no request to this API below /api/v1.\n`,
    ]);
  });
});
