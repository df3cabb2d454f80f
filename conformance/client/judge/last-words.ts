/** The last line that a client wrote to its stderr, as far as a message has room for it; '' or undefined where there is none. */
export function lastWords(stderr: string): string | undefined {
  return stderr.trim().split('\n').at(-1)?.trim().slice(0, 200);
}
