import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { RunningCommand, run } from '../test/support/cli/command.js';

const ROOT = join(import.meta.dirname, '..');
const CHROME = join(ROOT, 'fixtures/recordings/chrome.har');
const JOURNAL = join(ROOT, 'fixtures/conversations/session.jsonl');
const directory = mkdtempSync(join(tmpdir(), 'taskdouble-view-'));
afterAll(() => rmSync(directory, { recursive: true }));

function fileOf(name: string, content: string | Buffer): string {
  const path = join(directory, name);
  writeFileSync(path, content);
  return path;
}

/** What a page that was written shows. */
function dataOf(file: string) {
  const [, json] = /id="page-data">(.*)<\/script>/.exec(readFileSync(file, 'utf8'))!;
  return JSON.parse(json!);
}

describe('taskdouble view', () => {
  it('writes one file with the exchanges of recordings and what the rules find in them', async () => {
    const out = join(directory, 'new/page.html');
    const { code, stdout, stderr } = await run(['view', CHROME, '--out', out]);
    expect([code, stdout]).toEqual([0, `${out}\n`]);
    expect(stderr).toMatch(/chrome\.har: 5 HAR entries about anything else are left out/);
    const { kind, exchanges, findings } = dataOf(out);
    expect([kind, exchanges.length]).toEqual(['recording', 6]);
    expect(findings).toContainEqual(expect.objectContaining({ rule: 'replies/code', evidence: [4] }));
    expect(readFileSync(out, 'utf8')).toMatch(/script-src 'sha256-[\w+/]{43}='/);
  });

  it('takes several files, packed ones too, and one whose last line is torn', async () => {
    const journal = readFileSync(JOURNAL);
    const packed = fileOf('packed.jsonl.gz', gzipSync(journal));
    const torn = fileOf('torn.jsonl', journal.subarray(0, -40));
    const out = join(directory, 'both.html');
    const { code, stderr } = await run(['view', packed, torn, '--out', out]);
    expect(code).toBe(0);
    expect(stderr).toMatch(
      /^taskdouble: .*torn\.jsonl line \d+ is left out: found invalid or incomplete JSON\n$/,
    );
    const lines = journal.toString().trim().split('\n').length;
    expect(dataOf(out).exchanges).toHaveLength(2 * lines - 1);
  });

  it('writes the page of a JSON report; of several after they were merged', async () => {
    const report = join(directory, 'report.json');
    await run(['check', CHROME, '--report', `json=${report}`]);
    const out = join(directory, 'report.html');
    expect((await run(['view', report, '--out', out])).code).toBe(0);
    const { kind, causes } = dataOf(out);
    expect([kind, causes.map(({ id }: { id: string }) => id)]).toEqual([
      'report',
      ['replies/code', 'TOOL-02'],
    ]);
    expect(readFileSync(out, 'utf8')).toContain('<main class="static">');
    const two = await run(['view', report, report]);
    expect([two.code, two.stderr]).toEqual([2, expect.stringContaining('merge them first')]);
    const mixed = await run(['view', CHROME, report]);
    expect(mixed.stderr).toMatch(/chrome\.har is a recording and .*report\.json a report; view one kind/);
    const other = await run(['view', fileOf('old.json', '{"taskdouble":"0.0.1","checks":[]}')]);
    expect([other.code, other.stderr]).toEqual([2, expect.stringMatching(/written by taskdouble 0\.0\.1/)]);
  });

  it('serves the page on this machine until it is ended', async () => {
    const command = new RunningCommand(['view', JOURNAL]);
    const [, address] = await command.waitForOutput(/(http:\/\/127\.0\.0\.1:\d+\/) until Ctrl-C/, 'stdout');
    const response = await fetch(address!);
    expect(response.headers.get('content-security-policy')).toBe("frame-ancestors 'none'");
    expect(await response.text()).toContain('"kind":"recording"');
    expect((await fetch(`${address}other`)).status).toBe(404);
    expect((await fetch(address!, { method: 'POST' })).status).toBe(405);
    expect((await command.stop('SIGINT')).code).toBe(130);
  });

  const huge = fileOf('huge.jsonl', '{"version":1,');
  truncateSync(huge, 5 * 1024 ** 3);
  it.each([
    ['nothing.jsonl', 2, /nothing\.jsonl: expected a file or directory, found nothing there/],
    [directory, 2, /expected a file, found a directory/],
    [fileOf('empty.jsonl', ''), 2, /empty\.jsonl: expected a journal .*; the file is empty\./],
    [join(ROOT, 'LICENSE'), 2, /LICENSE: expected a journal .*; the file begins as none of them\./],
    [fileOf('other.json', '{"a":1}'), 2, /other\.json:1:1: expected exchanges as/],
    [huge, 2, /huge\.jsonl: expected a recording of at most 4 GiB, found 5\.0 GiB/],
    [fileOf('none.har', '{"log":{"version":"1.2","entries":[]}}'), 3, /there is no request to this API/],
  ])('%s: one line', async (file, exit, message) => {
    const { code, stderr, stdout } = await run(['view', file]);
    expect([code, stdout]).toEqual([exit, '']);
    expect(stderr).toMatch(message);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });
});
