/** The words of a command as one line for a shell. */
export function commandLine(words: readonly string[]): string {
  return words
    .map((word) => (/^[\w./:=@%+,{}-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`))
    .join(' ');
}
