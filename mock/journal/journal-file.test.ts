import { describe, expect, it } from 'vitest';
import { InvalidFile } from '../options/invalid-file.js';
import { parseJournal } from './journal-file.js';

const GOOD = JSON.stringify({
  seq: 1,
  kind: 'getUsage',
  organisation: 'org-1',
  request: { method: 'GET', url: '/api/v1/usage', headers: {}, at: 0 },
});

function problemsOf(...lines: string[]): string[] {
  try {
    parseJournal(lines.join('\n'), 'bug.jsonl');
    return [];
  } catch (error) {
    expect(error).toBeInstanceOf(InvalidFile);
    return (error as InvalidFile).problems.map(({ line, message }) => `${line}: ${message}`);
  }
}

describe('a journal file', () => {
  it('may have blank lines and the line ends of Windows', () => {
    expect(parseJournal(`${GOOD}\r\n\n ${GOOD}\n  `, 'bug.jsonl')).toHaveLength(2);
  });

  it.each([
    [[GOOD, GOOD.slice(0, -9)], /^2: expected exchanges as "taskdouble mock --journal".*; found no JSON$/],
    [['{"version":1,"organisations":[]}'], /^1: .*; expected the key "seq", which is missing$/],
    [[`[${GOOD}]`], /expected an object; found a list of 1/],
    [
      [GOOD.replace('{}', '{},"body_base64":"ä"')],
      /request\.body_base64: expected bytes in base64; found "ä"/,
    ],
    [[''], /^1: .*found nothing$/],
  ])('%j is refused with its line', (lines, message) => {
    expect(problemsOf(...lines)).toEqual([expect.stringMatching(message)]);
  });

  it('is refused without what would do something to a terminal', () => {
    const [message] = problemsOf('{"name":"a text that is long enough","other":\x1b[31m}');
    expect(message).toMatch(/found no JSON$/);
  });
});
