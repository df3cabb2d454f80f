import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { createGoodReport } from '../../test/support/report/reports.js';
import { parseReportFlags, ReportError } from './formats.js';
import { writeReports } from './write.js';

describe('--report', () => {
  it.each([
    ['json', { format: 'json' }],
    ['junit=out.xml', { format: 'junit', path: 'out.xml' }],
    ['html= a=b/c.html ', { format: 'html', path: 'a=b/c.html' }],
  ])('%s', (flag, target) => {
    expect(parseReportFlags([flag])).toContainEqual(target);
  });

  it.each([
    ['junti=x', /expected one of pretty, json, .*found "junti"; did you mean junit\?/],
    ['', /found ""/],
    ['JSON', /did you mean json\?/],
    ['json=', /--report json=: expected a path after "="; write json=FILE, or json for stdout/],
  ])('refuses %j', (flag, message) => {
    expect(() => parseReportFlags([flag])).toThrow(ReportError);
    expect(() => parseReportFlags([flag])).toThrow(message);
  });

  it('refuses two in one place', () => {
    const check =
      (...flags: string[]) =>
      () =>
        parseReportFlags(flags);
    expect(check('json', 'tap')).toThrow(
      'json and tap would be mixed on stdout; give all but one a path, as in tap=FILE',
    );
    expect(check('json=a', 'tap=a')).toThrow('two reports would be written to a;');
    expect(check('json', 'tap=a', 'html=b')).not.toThrow();
  });

  it('is pretty on stdout where nothing else is', () => {
    expect(parseReportFlags([])).toEqual([{ format: 'pretty' }]);
    expect(parseReportFlags(['json=a'])).toHaveLength(2);
    expect(parseReportFlags(['json'])).toHaveLength(1);
  });
});

describe('writeReports', () => {
  const directory = mkdtempSync(join(tmpdir(), 'taskdouble-reports-'));
  afterEach(() => vi.unstubAllEnvs());
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  it('writes files, making directories, and stdout', async () => {
    let out = '';
    const stdout = { write: (text: string) => (out += text), isTTY: true };
    const path = join(directory, 'new/deep/report.json');
    vi.stubEnv('NO_COLOR', '').stubEnv('TERM', 'xterm');
    await writeReports(createGoodReport(), [{ format: 'json', path }, { format: 'pretty' }], stdout);
    expect(JSON.parse(readFileSync(path, 'utf8')).seed).toBe(7);
    expect(out).toContain('\u001b[');
    expect(out).toContain('http://127.0.0.1:4010 conforms');
  });

  it.each([{ NO_COLOR: '1' }, { TERM: 'dumb' }])('is without colour for %o', async (env) => {
    let out = '';
    const stdout = { write: (text: string) => (out += text), isTTY: true };
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
    await writeReports(createGoodReport(), [{ format: 'pretty' }], stdout);
    expect(out).not.toContain('\u001b');
  });

  it('names the file that could not be written, after writing the others', async () => {
    let out = '';
    const stdout = { write: (text: string) => (out += text) };
    const targets = [{ format: 'tap', path: directory } as const, { format: 'json' } as const];
    await expect(writeReports(createGoodReport(), targets, stdout)).rejects.toThrow(
      `--report tap: ${directory} could not be written: EISDIR`,
    );
    expect(JSON.parse(out).seed).toBe(7);
  });
});
