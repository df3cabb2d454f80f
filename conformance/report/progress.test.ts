import { describe, expect, it } from 'vitest';
import { createCheck, createGoodReport } from '../../test/support/report/reports.js';
import type { ConformEvent } from '../service/runner/result.js';
import { showProgress } from './progress.js';

function shown(stream: { isTTY?: boolean; columns?: number }, env = {}): string {
  let text = '';
  const show = showProgress({ ...stream, write: (part: string) => (text += part) }, env);
  const checks = Array.from({ length: 23 }, (_, n) =>
    createCheck(`polling/p${n}#POLL-02`, n === 7 ? 'failed' : 'passed'),
  );
  const events: ConformEvent[] = [
    { type: 'start', baseUrl: 'http://h', seed: 7, checks: 20, tasks: 1 },
    { type: 'case', case: 'polling/p0', running: true },
    ...checks.map((each, n): ConformEvent => {
      const elapsedMs = 100 * (n + 1);
      return { type: 'check', check: each, done: n + 1, total: n < 9 ? 20 : 23, elapsedMs, isSlowed: n > 9 };
    }),
    { type: 'note', text: 'a\u001b[2J note' },
    { type: 'end', report: createGoodReport() },
  ];
  for (const event of events) show(event);
  return text;
}

describe('progress', () => {
  it('is plain lines in a file: what fails at once, and each tenth of the way', () => {
    const lines = shown({}).trimEnd().split('\n');
    expect(lines[0]).toBe('http://h: 20 checks, 1 task at most, seed 7');
    expect(lines).toContain('✗ polling/p7#POLL-02: why it is failed');
    expect(lines).toContain('4 of 20 checks: 4 passed; about 1.6 s left');
    expect(lines.at(-2)).toBe('23 of 23 checks (+3 for rules that failed): 22 passed, 1 failed');
    expect(lines).toContain(
      '14 of 23 checks (+3 for rules that failed): 13 passed, 1 failed; about 900 ms left, slowed by 429',
    );
    expect(lines.at(-1)).toBe('a\\u001b[2J note');
    expect(lines).toHaveLength(13);
    expect(lines.join('')).not.toContain('\u001b');
  });

  it('is one line that is written over in a terminal, and gone at the end', () => {
    const text = shown({ isTTY: true, columns: 60 }, { NO_COLOR: '1' });
    expect(text.endsWith('\r\u001b[2K')).toBe(true);
    expect(text.split('\n')).toHaveLength(4);
    const drawn = text.replaceAll('\r\u001b[2K', '\n').split('\n');
    expect(
      Math.max(
        ...drawn
          .slice(2)
          .filter((line) => !line.startsWith('✗'))
          .map(({ length }) => length),
      ),
    ).toBeLessThan(60);
  });

  it('moves no cursor in a dumb terminal', () => {
    expect(shown({ isTTY: true }, { TERM: 'dumb' })).not.toContain('\r');
  });
});
