import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');
const main = join(root, 'dist/command/main.js');
const directory = mkdtempSync(join(tmpdir(), 'taskdouble-full-disk-'));
afterAll(() => rmSync(directory, { recursive: true }));

/** Runs the command where no file may be longer than so many KiB, as on a disk that is full then. */
function limited(kib: number, line: string) {
  const command = `ulimit -f ${kib}; exec "${process.execPath}" "${main}" ${line}`;
  const { status, stdout, stderr } = spawnSync('bash', ['-c', command], { cwd: directory, encoding: 'utf8' });
  return { code: status, stdout, stderr };
}

const buggy = join(root, 'fixtures/clients/buggy/lost-answer-is-failure.mjs');
const FAULT = 'a fault of taskdouble itself';

describe.skipIf(process.platform === 'win32')('where the disk is full', () => {
  it('explore keeps what it found in its report, and says that --out could not be written', () => {
    const line = `explore --scenario tool-calls/one-call --deviations 1 --schedules 150 --out races --function "${buggy}"`;
    const { code, stdout, stderr } = limited(0, line);
    expect(stderr).not.toContain(FAULT);
    expect(stderr).toMatch(/--out: races\/.+\.yaml could not be written: EFBIG/);
    expect(stderr).not.toContain('what happened, with a diagram');
    expect(stdout).toContain('does not conform');
    expect(code).toBe(1);
    expect(readdirSync(join(directory, 'races')).filter((name) => name.endsWith('.md'))).toEqual([]);
  });

  it('a report that fits in part on stdout: stderr has the verdict, and the exit code says so', () => {
    const line = 'client --scenario polling/one-shot --report json -- node CLIENT > report.json';
    const { code, stderr } = limited(1, line.replace('CLIENT', join(root, 'fixtures/adapters/adapter.mjs')));
    expect(stderr).not.toContain(FAULT);
    expect(stderr).toContain('stdout could not be written: EFBIG');
    expect(stderr).toMatch(/adapter\.mjs conforms: 0 failed, \d+ passed/);
    expect(code).toBe(2);
    expect(readFileSync(join(directory, 'report.json'), 'utf8')).toHaveLength(1024);
  });

  it.each([
    ['scenarios list > list.txt', 2],
    ['scenarios draw polling/one-shot > diagram.txt', 2],
    ['scenarios validate > valid.txt', 2],
    ['conform http://127.0.0.1:1 --plan > plan.txt', 2],
    ['conform http://127.0.0.1:1 --plan --report json=plan.json', 2],
    [`scenarios from "${join(root, 'fixtures/conversations/tool-call.jsonl')}" --out from-traffic`, 2],
    // A violation stays one.
    ['client --scenario polling/one-shot -- true > report.txt', 1],
  ])('%s: one line, exit code %i', (line, expected) => {
    const { code, stderr } = limited(0, line);
    expect(stderr).not.toContain(FAULT);
    expect(stderr).toMatch(/could not be written: EFBIG/);
    expect(code).toBe(expected);
  });
});

describe.skipIf(process.platform === 'win32')('where the reader of stdout has gone', () => {
  it('stderr has the verdict, and the exit code is the verdict', () => {
    const command = `"${process.execPath}" "${main}" client --scenario polling/one-shot -- true`;
    // The reader ends before the report is written.
    const { status, stderr } = spawnSync('bash', ['-c', `${command} | true; exit "\${PIPESTATUS[0]}"`], {
      encoding: 'utf8',
    });
    expect(stderr).toContain('true does not conform: ');
    expect(stderr).not.toContain('could not be written');
    expect(status).toBe(1);
  });
});
