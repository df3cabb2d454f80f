import { describe, expect, it } from 'vitest';
import { InvalidFile } from '../../options/invalid-file.js';
import { readTape } from './tape.js';

const GOOD = JSON.stringify({
  seq: 1,
  kind: 'getUsage',
  organisation: 'org-1',
  request: { method: 'GET', url: '/api/v1/usage', headers: {}, at: 0 },
});

/** What is said of a file with these lines. */
function told(...lines: string[]): string[] {
  try {
    readTape(lines, 'bug.jsonl');
    return [];
  } catch (error) {
    expect(error).toBeInstanceOf(InvalidFile);
    return (error as InvalidFile).problems.map(({ line, message }) => `${line}: ${message}`);
  }
}

describe('a journal file', () => {
  it('may have blank lines, ends of line of Windows and a byte order mark', () => {
    expect(readTape([`\ufeff${GOOD}\r`, '', ` ${GOOD}`, '  '], 'bug.jsonl')).toHaveLength(2);
  });

  it.each([
    [['\x1f\ufffd\x08\0\0'], /^1: expected exchanges .* found what is no text; unpack the file/],
    [['\ufffd\ufffd{\0"\0s\0'], /save it as UTF-8$/],
    [['{"exchanges":[]}'], /^1: .* as the admin API shows it.*--journal FILE$/],
    [['{"log":{"entries":[]}}'], /^1: .*HAR file.*--journal FILE$/],
    [['{"version":1,"organisations":[]}'], /^1: .*snapshot, which PUT/],
    [[GOOD, GOOD.slice(0, -9)], /^2: .*found no JSON \(.*the line ends too soon/],
    // Cut off in the middle of a letter.
    [[GOOD, `${GOOD.slice(0, 40)}\ufffd`], /^2: .*the line ends too soon/],
    [[`[${GOOD}]`], /expected an object; found a list of 1/],
    [[''], /^1: .*found nothing$/],
  ])('%j is refused with what it is', (lines, message) => {
    expect(told(...lines)).toEqual([expect.stringMatching(message)]);
  });

  it('is told of without what would do something to a terminal', () => {
    const [message] = told('{"name":"a text that is long enough","other":\x1b[31m}');
    expect(message).toMatch(/found no JSON \(.*\?/);
    expect(message).not.toMatch(/\p{Cc}/u);
  });
});
