import { describe, expect, it } from 'vitest';
import { showSteps } from './progress.js';

/** Output for steps every 50 ms during a minute. */
function shown(stream: { isTTY?: boolean }, lastMs = 60_000): string {
  let text = '';
  let nowMs = 0;
  const output = { ...stream, write: (part: string) => (text += part) };
  const { show, erase } = showSteps(output, { NO_COLOR: '1' }, () => nowMs);
  for (; nowMs <= lastMs; nowMs += 50) show(() => `${nowMs} ms\u001b[2J`);
  erase();
  return text;
}

describe('steps that may take long', () => {
  it('are a line every few seconds in a file, and none for a short time', () => {
    const lines = shown({}).trimEnd().split('\n');
    expect(lines).toHaveLength(12);
    expect(lines[0]).toBe('5000 ms\\u001b[2J');
    expect(shown({}, 4000)).toBe('');
  });

  it('are one line in a terminal that is written over, and gone at the end', () => {
    const text = shown({ isTTY: true });
    expect(text).not.toContain('\n');
    expect(text).toContain('60000 ms');
    expect(text.endsWith('\r\u001b[2K')).toBe(true);
  });
});
