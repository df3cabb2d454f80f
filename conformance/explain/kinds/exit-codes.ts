import type { Explanation } from '../explanation.js';

/** Meaning, and what to do. */
const EXIT_CODES: Readonly<Record<string, readonly [meaning: string, remedy: string]>> = {
  0: ['Success: nothing was violated.', 'Nothing is to be done.'],
  1: [
    'A violation was found; with --strict, also if a check was inconclusive or flaky.',
    'Read the causes at the end of the output: each names its rule and one example.',
  ],
  2: [
    'Wrong usage, configuration or scenario file.',
    'Read the line on stderr: it names the place, what was expected and what was found.',
  ],
  3: [
    'The target could not be reached, or nothing could be tested.',
    'Check the address and the key, or that the command starts and sends requests.',
  ],
  4: ['A fault of taskdouble itself.', 'Set TASKDOUBLE_DEBUG=1, run it again, and report the lines.'],
  129: ['Ended by SIGHUP: the terminal or the connection is gone.', 'Run it again.'],
  130: ['Ended by Ctrl-C.', 'What was known is printed; run it again for the rest.'],
  143: ['Ended by SIGTERM.', 'What was known is printed; run it again for the rest.'],
};

export const EXIT_CODE_NAMES: readonly string[] = Object.keys(EXIT_CODES);

/** `3`, `exit 3`, `exit code 3`. */
export function explainExitCode(name: string): Explanation | undefined {
  const [, code] = /^(?:exit[ -]?)?(?:code[ -]?)?(\d{1,3})$/i.exec(name) ?? [];
  if (code === undefined || !Object.hasOwn(EXIT_CODES, code)) return undefined;
  const [meaning, remedy] = EXIT_CODES[code]!;
  return {
    name: `exit code ${code}`,
    kind: 'exit code',
    title: meaning,
    facts: [['What to do', remedy]],
    page: 'command.md#exit-codes',
  };
}
