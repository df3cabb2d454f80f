import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { ConformReport } from '../conformance/service/runner/result.js';
import { run } from '../test/support/cli/command.js';

const ROOT = join(import.meta.dirname, '..');
const CHROME = join(ROOT, 'fixtures/recordings/chrome.har');
const JOURNAL = join(ROOT, 'fixtures/conversations/session.jsonl');
const directory = mkdtempSync(join(tmpdir(), 'taskdouble-check-'));
afterAll(() => rmSync(directory, { recursive: true }));

function fileOf(name: string, content: string): string {
  const path = join(directory, name);
  writeFileSync(path, content);
  return path;
}

async function report(...args: string[]): Promise<ConformReport & { code: number | null }> {
  const { code, stdout, stderr } = await run(['check', ...args, '--report', 'json']);
  expect(stderr).toBe('');
  return { ...(JSON.parse(stdout) as ConformReport), code };
}

const failed = ({ checks }: ConformReport) =>
  checks.filter(({ outcome }) => outcome === 'failed').map(({ id, side }) => `${side} ${id}`);

describe('taskdouble check', () => {
  it('judges both sides of a HAR, or one of them', async () => {
    const both = await report(CHROME);
    expect([both.code, failed(both)]).toEqual([1, ['client client#replies/code', 'service service#TOOL-02']]);
    expect(both.target.base_url).toBe('https://api.tasks.example');
    expect(both.causes.map(({ id }) => id)).toEqual(['replies/code', 'TOOL-02']);
    expect(both.gaps).toEqual([expect.stringMatching(/^1 task whose end is missing/)]);
    const client = await report(CHROME, '--side', 'client');
    expect([client.code, failed(client)]).toEqual([1, ['client client#replies/code']]);
    const service = await report(CHROME, '--side', 'service');
    expect(failed(service)).toEqual(['service service#TOOL-02']);
    const other = await report(CHROME, '--only', '*#polling/*');
    expect([other.code, failed(other)]).toEqual([0, []]);
  });

  it('skips what the sides lack, also as the configuration says, of which it reads nothing else', async () => {
    const flagged = await report(CHROME, '--lacks', 'tools', '--side', 'client', '--exclude', '*#polling/*');
    expect([flagged.code, failed(flagged)]).toEqual([0, []]);
    const ids = flagged.checks.map(({ id }) => id);
    expect(ids.some((id) => id.includes('#polling/'))).toBe(false);
    const replies = flagged.checks.filter(({ id }) => id.startsWith('client#replies/'));
    expect(new Set(replies.map(({ outcome }) => outcome))).toEqual(new Set(['skipped']));
    const config = fileOf(
      'some.yaml',
      'lacks: [tools]\nbase_url: http://service.example\nkey: { other: $NOT_SET }\n',
    );
    const { code, stderr } = await run(['check', CHROME, '--side', 'client', '--config', config]);
    expect(code).toBe(0);
    expect(stderr).toContain('check reads "lacks" of it alone; not read: base_url, key');
  });

  it('judges a journal, and says in words what it found', async () => {
    const { code, stdout } = await run(['check', JOURNAL]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^the client of .*session\.jsonl conforms: 0 failed, 3\d passed/m);
    expect(stdout).toMatch(/^.*session\.jsonl conforms: 0 failed, 3\d passed/m);
  });

  it('judges several files as one, each conversation by itself, with numbers that are its own', async () => {
    const { code, exchanges, checks } = await report(CHROME, JOURNAL, JOURNAL, '--all');
    expect(code).toBe(1);
    expect(exchanges.map(({ seq }) => seq)).toEqual(exchanges.map((_, at) => at + 1));
    expect(new Set(exchanges.map(({ organisation }) => organisation)).size).toBe(3);
    const failure = checks.find(({ id }) => id === 'client#replies/code')!;
    const shown = exchanges.find(({ seq }) => seq === failure.evidence.at(-1));
    expect(shown?.request.body).toContain('"code":501');
    // A journal that was appended to has the same numbers and tasks again.
    const lines = readFileSync(JOURNAL, 'utf8');
    const twice = await report(fileOf('twice.jsonl', lines + lines));
    expect([twice.code, failed(twice)]).toEqual([0, []]);
  });

  it('says what it could not judge, and why', async () => {
    const har = JSON.parse(readFileSync(CHROME, 'utf8'));
    const tasks = har.log.entries.filter((entry: { request: { url: string } }) =>
      entry.request.url.includes('/task'),
    );
    tasks[2].response.content = { size: 500, mimeType: 'application/json' };
    tasks[1].response = { status: 0 };
    const cut = fileOf('cut.har', JSON.stringify(har).slice(0, -300));
    const { gaps } = await report(cut, fileOf('empty.har', '{"log":{"entries":[]}}'));
    expect(gaps).toEqual([
      expect.stringMatching(/cut\.har is truncated at byte \d+: entries after \d+ are missing/),
      expect.stringMatching(/empty\.har has no requests to this API$/),
      expect.stringMatching(/^1 response without the complete body: .* \(#\d\)$/),
      expect.stringMatching(/^1 request without a response: .* \(#\d\)$/),
      expect.stringMatching(/^2 tasks whose beginning is missing/),
      expect.stringMatching(/^2 tasks whose end is missing/),
    ]);
    expect((await run(['check', cut])).stdout).toMatch(/^Not judged$/m);
  });

  it('takes known failures from a baseline', async () => {
    const known = join(directory, 'known.yaml');
    await run(['check', CHROME, '--write-baseline', known, '--report', 'json']);
    const filled = readFileSync(known, 'utf8')
      .replace(/reason:.*/g, 'reason: known')
      .replace(/expires:.*/g, 'expires: 2999-01-01');
    writeFileSync(known, filled);
    expect((await run(['check', CHROME, '--baseline', known])).code).toBe(0);
    expect((await run(['check', JOURNAL, '--baseline', known])).code).toBe(0);
  });

  it('finds nothing to judge in a HAR without requests to this API: exit 3', async () => {
    const other = {
      startedDateTime: '2026-01-01T00:00:00Z',
      request: { method: 'GET', url: 'https://x.example/logo' },
    };
    const { code, stdout } = await run([
      'check',
      fileOf('other.har', JSON.stringify({ log: { entries: [other] } })),
    ]);
    expect([code, stdout]).toEqual([
      3,
      expect.stringMatching(
        /^.*other\.har.*nothing could be tested: there is no request to this API below \/api\/v1 \(1 to other addresses\)\n$/,
      ),
    ]);
    const cut = fileOf('other-cut.har', `{"log":{"entries":[${JSON.stringify(other)},{`);
    const truncated = await run(['check', cut]);
    expect(truncated.code).toBe(3);
    expect(truncated.stdout).toMatch(
      /\(1 to other addresses\); .*other-cut\.har is truncated at byte \d+: entries after 1/,
    );
  });

  it.each([
    [[join(directory, 'none.har')], /none\.har: expected a file or directory, found nothing there/],
    [[fileOf('bad.har', '<html>')], /bad\.har: A HAR is JSON, and this file is not: export it as HAR 1\.2/],
    [[fileOf('bad.jsonl', 'x\n')], /bad\.jsonl:1:1: expected exchanges .*found invalid or incomplete JSON/],
    [
      [CHROME, '--only', 'client#replies/coed'],
      /--only: no check fits "client#replies\/coed"; did you mean "client#replies\/code"\?/,
    ],
    [[CHROME, '--side', 'server'], /Allowed choices are client, service, both/],
    [[], /missing required argument 'file'/],
  ])('%j: one line, exit 2', async (args, message) => {
    const { code, stdout, stderr } = await run(['check', ...args]);
    expect({ code, stdout, lines: stderr.trim().split('\n') }).toEqual({
      code: 2,
      stdout: '',
      lines: [expect.stringMatching(message)],
    });
  });
});
