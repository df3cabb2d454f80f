import { describe, expect, it } from 'vitest';
import { InvalidFile } from '../options/invalid-file.js';
import { JournalReader } from './journal-reader.js';

const GOOD = JSON.stringify({
  seq: 1,
  kind: 'getUsage',
  organisation: 'org-1',
  request: { method: 'GET', url: '/api/v1/usage?ü', headers: {}, at: 0 },
});

/** Reads the text in pieces of so many bytes. */
function read(text: string, bytes = 7): { count: number; torn: number[] } {
  const reader = new JournalReader('bug.jsonl');
  const all = Buffer.from(text);
  for (let from = 0; from < all.length; from += bytes) reader.push(all.subarray(from, from + bytes));
  reader.end();
  return { count: reader.exchanges.length, torn: reader.tornLines };
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
  it('may have blank lines and the line ends of Windows', () => {
    expect(read(`${GOOD}\r\n\n ${GOOD}\n  `)).toEqual({ count: 2, torn: [] });
  });

  it('may end in the middle of a line, as when its writer was killed', () => {
    expect(read(`${GOOD}\n${GOOD.slice(0, -9)}`)).toEqual({ count: 1, torn: [2] });
    expect(read(`${GOOD}\n${GOOD}`)).toEqual({ count: 2, torn: [] });
    // In the middle of a character.
    const torn = Buffer.concat([Buffer.from(`${GOOD}\n{"a":"`), Buffer.from('ü').subarray(0, 1)]);
    const reader = new JournalReader('bug.jsonl');
    reader.push(torn);
    reader.end();
    expect(reader.tornLines).toEqual([2]);
  });

  it('may go on behind such a line', () => {
    const line = GOOD.replace('{', '{"version":1,');
    expect(read(`${line}\n${line.slice(0, 30)}\n${line}\n`)).toEqual({ count: 2, torn: [2] });
  });

  it('may say the version of its format, but not a later one', () => {
    const reader = new JournalReader('bug.jsonl');
    reader.push(Buffer.from(GOOD.replace('{', '{"version":1,')));
    reader.end();
    expect(reader.exchanges).toEqual([JSON.parse(GOOD)]);
    expect(problemsOf(GOOD.replace('{', '{"version":2,'))).toEqual([
      expect.stringMatching(/^1: .*found version 2 of the format, and this taskdouble reads up to 1: update/),
    ]);
  });

  it('marks the exchanges between which one is missing', () => {
    const line = GOOD.replace('{', '{"version":1,');
    const unrecorded = (text: string) => {
      const reader = new JournalReader('bug.jsonl');
      reader.push(Buffer.from(text));
      reader.end();
      return reader.exchanges.map((each) => each.unrecorded);
    };
    expect(unrecorded(`${line}\n${line.slice(0, 30)}\n${line}\n${line}`)).toEqual([
      ['after'],
      ['before'],
      undefined,
    ]);
    expect(unrecorded(`${line}\n${GOOD.slice(0, -9)}`)).toEqual([['after']]);
    expect(unrecorded(`${line}\n${line}`)).toEqual([undefined, undefined]);
  });

  it.each([
    [
      `${GOOD}\n${GOOD.slice(0, -9)}\n${GOOD}`,
      /^2: expected exchanges as "taskdouble mock --journal".*; found no JSON$/,
    ],
    [GOOD.slice(0, -9), /^1: .*found no JSON$/],
    ['{"version":1,"organisations":[]}', /^1: .*; expected the key "seq", which is missing$/],
    [`[${GOOD}]`, /expected an object; found a list of 1/],
    [GOOD.replace('{}', '{},"body_base64":"ä"'), /request\.body_base64: expected bytes in base64; found "ä"/],
    ['', /^1: .*found nothing$/],
  ])('%j is refused with its line', (text, message) => {
    expect(problemsOf(text)).toEqual([expect.stringMatching(message)]);
  });

  it('is refused when it holds other bytes than UTF-8', () => {
    const reader = new JournalReader('bug.jsonl');
    reader.push(Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff]), Buffer.from(`"}\n${GOOD}\n`)]));
    expect(() => reader.end()).toThrow(/bug\.jsonl:1:1: .*bytes that are no UTF-8/);
  });

  it('is refused after its first problems, without what would do something to a terminal', () => {
    const bad = '{"name":"a text that is long enough","other":\x1b[31m}\n';
    expect(problemsOf(bad.repeat(9)).map((each) => each.slice(0, 2))).toEqual(['1:', '2:', '3:', '4:', '5:']);
    expect(problemsOf(bad)[0]).toMatch(/found no JSON$/);
  });
});
