import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { createMixedReport } from '../../test/support/report/reports.js';
import { readDisplay, wrapLine } from './terminal.js';
import { writeReports } from './write.js';

type Variables = Record<string, string | undefined>;

const LINKS = { TERM_PROGRAM: 'WezTerm' };

/** What a pretty report prints on a stream. */
async function printReport(stream: { isTTY?: boolean; columns?: number }): Promise<string> {
  let text = '';
  await writeReports(
    createMixedReport(),
    [{ format: 'pretty' }],
    { ...stream, write: (part) => (text += part) },
    { all: true },
  );
  return text;
}

describe('a report on a terminal', () => {
  it.each([60, 100])('has lines of %i columns that break between words', async (columns) => {
    const plain = stripVTControlCharacters(await printReport({})).split('\n');
    const lines = stripVTControlCharacters(await printReport({ isTTY: true, columns })).split('\n');
    expect(plain.some((line) => line.length > columns)).toBe(true);
    const isCommand = (line: string) => /^ +(?:curl|See it again)/.test(line);
    // A row of one word may be longer.
    const tooLong = lines.filter(
      (line) => line.length > columns && !isCommand(line) && line.trim().includes(' '),
    );
    expect(tooLong).toEqual([]);
    expect(lines.filter(isCommand)).toEqual(plain.filter(isCommand));
    expect(lines.join(' ').replace(/\s+/g, '')).toBe(plain.join(' ').replace(/\s+/g, ''));
  });

  it('has 80 columns if the terminal does not report them', () => {
    expect(readDisplay({ isTTY: true }, {}).columns).toBe(80);
    expect(readDisplay({ isTTY: true, columns: 0 }, {}).columns).toBe(80);
    expect(readDisplay({}, {}).columns).toBeUndefined();
  });

  it('has links where the terminal supports them, never in files, logs of CI systems and multiplexers', () => {
    const hasLinks = (env: Variables, isTTY = true) => readDisplay({ isTTY }, env).hasLinks;
    for (const env of [
      LINKS as Variables,
      { WT_SESSION: '1' },
      { VTE_VERSION: '7600' },
      { TERM: 'xterm-kitty' },
    ])
      expect([env, hasLinks(env), hasLinks(env, false)]).toEqual([env, true, false]);
    for (const env of [
      {} as Variables,
      { ...LINKS, CI: 'true' },
      { ...LINKS, TMUX: '/tmp/x' },
      { VTE_VERSION: '5000' },
    ])
      expect([env, hasLinks(env)]).toEqual([env, false]);
    expect(hasLinks({ TERM: 'xterm', FORCE_HYPERLINK: '1' })).toBe(true);
    expect(hasLinks({ ...LINKS, FORCE_HYPERLINK: '0' })).toBe(false);
  });

  it('links a requirement to its page', async () => {
    const before = process.env['FORCE_HYPERLINK'];
    process.env['FORCE_HYPERLINK'] = '1';
    try {
      const text = (await printReport({ isTTY: true }))
        .replaceAll('\u001b', 'ESC')
        .replaceAll('\u0007', 'BEL');
      expect(text).toMatch(/ESC]8;;file:\/\/\S+\/docs\/requirements\.md#[\w-]+BELPOLL-01ESC]8;;BEL/);
      expect(await printReport({})).not.toContain('\u001b]8');
    } finally {
      if (before === undefined) delete process.env['FORCE_HYPERLINK'];
      else process.env['FORCE_HYPERLINK'] = before;
    }
  });
});

describe('a wrapped line', () => {
  it('is indented below its text', () => {
    expect(wrapLine('✗ one two three', 9)).toEqual(['✗ one two', '  three']);
    expect(wrapLine('    one two three four', 16)).toEqual(['    one two', '     three four']);
    expect(wrapLine('key      one two three', 14, 4)).toEqual(['key      one', '    two three']);
    expect(wrapLine('one two', undefined)).toEqual(['one two']);
  });

  it('breaks between the fields of compact JSON, and no word', () => {
    expect(wrapLine('> {"a":1,"b":2,"c":3}', 12)).toEqual(['> {"a":1,', '  "b":2,', '  "c":3}']);
    expect(wrapLine('a https://example.com/long', 10)).toEqual(['a', '  https://example.com/long']);
  });

  it('is measured without escape sequences, and with wide characters', () => {
    expect(wrapLine('\u001b[1m✗ one\u001b[22m two', 9)).toEqual(['\u001b[1m✗ one\u001b[22m two']);
    expect(wrapLine('漢字 漢字', 8)).toEqual(['漢字', '  漢字']);
  });
});
