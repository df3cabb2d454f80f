import { afterEach, describe, expect, it, vi } from 'vitest';
import { printError, printLine, printWarning } from './print.js';

/** Clears the screen, sets the title, turns the direction of writing, and begins a line of its own. */
const HOSTILE = 'x\u001b[2J\u001b]0;title\u0007\u202e\r\ntaskdouble: all is well';

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

describe('a text from outside on stderr', () => {
  it.each([
    ['printError', printError],
    ['printWarning', printWarning],
    ['printLine', (text: string) => printLine('note   ', text)],
  ])('controls no terminal and stays on one line: %s', (_, say) => {
    const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    vi.stubEnv('NO_COLOR', '1');
    say(`not removed from the target: ${HOSTILE}`);
    const printed = write.mock.calls.map(([text]) => text).join('');
    expect(printed).toMatch(/^\S+ +not removed[^\p{Cc}\p{Bidi_Control}]*\n$/u);
    expect(printed).toContain('x\\u001b[2J\\u001b]0;title\\u0007\\u202e taskdouble: all is well');
  });
});
