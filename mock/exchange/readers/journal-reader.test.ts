import { describe, expect, it } from 'vitest';
import { InvalidFile } from '../../../scenarios/format/invalid-file.js';
import { JournalReader } from './journal-reader.js';

const GOOD = JSON.stringify({
  seq: 1,
  kind: 'getUsage',
  organisation: 'org-1',
  request: { method: 'GET', url: '/api/v1/usage?ü', headers: {}, at: 0 },
});

const withStatus = (status: number) =>
  JSON.stringify({ ...JSON.parse(GOOD), response: { status, headers: {}, body: '', at: 1 } });

/** Reads the text in chunks of this many bytes. */
function read(text: string | Buffer, bytes = 7): { count: number; notes: string[] } {
  const reader = new JournalReader('bug.jsonl');
  const all = Buffer.from(text);
  for (let from = 0; from < all.length; from += bytes) reader.push(all.subarray(from, from + bytes));
  reader.end();
  return { count: reader.exchanges.length, notes: reader.notes };
}

function problemsOf(text: string): string[] {
  try {
    read(text);
    return [];
  } catch (error) {
    expect(error).toBeInstanceOf(InvalidFile);
    return (error as InvalidFile).problems.map(({ line, message }) => `${line}: ${message}`);
  }
}

describe('a journal file', () => {
  it.each([1, 4097, 1 << 20])('counts blank lines in chunks of %d bytes', (bytes) => {
    const blank = '\n'.repeat(10_000);
    const { count, notes } = read(`${GOOD}\n${blank}${GOOD}${blank}x`, bytes);
    expect([count, notes]).toEqual([2, [expect.stringMatching(/^line 20002 /)]]);
  });

  it('may have blank lines and Windows line ends', () => {
    expect(read(`${GOOD}\r\n\n ${GOOD}\n  `)).toEqual({ count: 2, notes: [] });
  });

  it('may end in the middle of a line, as when its writer was killed', () => {
    const note = 'line 2 is left out: found invalid or incomplete JSON';
    expect(read(`${GOOD}\n${GOOD.slice(0, -9)}`)).toEqual({ count: 1, notes: [note] });
    expect(read(`${GOOD}\n${GOOD}`)).toEqual({ count: 2, notes: [] });
    // In the middle of a character.
    const torn = Buffer.concat([Buffer.from(`${GOOD}\n{"a":"`), Buffer.from('ü').subarray(0, 1)]);
    expect(read(torn)).toEqual({ count: 1, notes: ['line 2 is left out: found invalid UTF-8'] });
  });

  it.each([
    ['a part of a line', GOOD.slice(0, 30), /^found invalid or incomplete JSON$/],
    ['no exchange', '{"version":1,"organisations":[]}', /^expected the key "seq", which is missing$/],
    ['a status of four digits', withStatus(1000), /^response\.status: expected .*999.*found 1000$/],
    ['terminal escape sequences', '\x1b[31m', /^found invalid or incomplete JSON$/],
  ])('may contain %s: the line is left out, and its neighbors are marked', (_, line, found) => {
    const reader = new JournalReader('bug.jsonl');
    reader.push(Buffer.from([GOOD, line, GOOD, GOOD].join('\n')));
    reader.end();
    expect(reader.exchanges.map(({ unrecorded }) => unrecorded)).toEqual([['after'], ['before'], undefined]);
    expect(reader.notes[0]!.replace('line 2 is left out: ', '')).toMatch(found);
  });

  it('may hold every status that a service can send', () => {
    for (const status of [100, 600, 999]) expect(read(withStatus(status)).notes).toEqual([]);
  });

  it('is read with the first lines that are left out named, and the others counted', () => {
    const { count, notes } = read([GOOD, ...Array(9).fill('{'), GOOD].join('\n'));
    expect([count, notes.length, notes.at(-1)]).toEqual([2, 6, '4 more lines are left out']);
  });

  it('may state the version of its format, but not a later one', () => {
    const reader = new JournalReader('bug.jsonl');
    reader.push(Buffer.from(GOOD.replace('{', '{"version":1,')));
    reader.end();
    expect(reader.exchanges).toEqual([JSON.parse(GOOD)]);
    expect(problemsOf(GOOD.replace('{', '{"version":2,'))).toEqual([
      expect.stringMatching(/^1: .*found version 2 of the format, and this taskdouble reads up to 1: update/),
    ]);
  });

  it.each([
    [
      GOOD.slice(0, -9),
      /^1: expected exchanges as "taskdouble mock --journal".*; found invalid or incomplete JSON$/,
    ],
    ['{"version":1,"organisations":[]}', /^1: .*; expected the key "seq", which is missing$/],
    [`[${GOOD}]`, /expected an object; found a list of 1/],
    [GOOD.replace('{}', '{},"body_base64":"ä"'), /request\.body_base64: expected bytes in base64; found "ä"/],
    ['', /^1: .*found nothing$/],
  ])('%j is refused with its line', (text, message) => {
    expect(problemsOf(text)).toEqual([expect.stringMatching(message)]);
  });

  it('is refused after its first problems, without terminal escape sequences', () => {
    const bad = '{"name":"a text that is long enough","other":\x1b[31m}\n';
    expect(problemsOf(bad.repeat(9)).map((each) => each.slice(0, 2))).toEqual(['1:', '2:', '3:', '4:', '5:']);
    expect(problemsOf(bad)[0]).toMatch(/found invalid or incomplete JSON$/);
  });
});
