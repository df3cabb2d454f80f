/** Words that every shell takes as they are; `{base_url}` too, but no `{a,b}`. */
const PLAIN = /^(?:[\w./:=@%+,-]|\{\w+\})+$/;
const CONTROLS = /(?![\t\n])[\p{Cc}\p{Bidi_Control}]/u;

/** A text as one word for a shell: nothing in it is run, or controls the terminal that shows it. */
export function quoteShellWord(text: string): string {
  if (PLAIN.test(text)) return text;
  return CONTROLS.test(text)
    ? `$'${[...new TextEncoder().encode(text)].map(escapeByte).join('')}'`
    : `'${text.replaceAll("'", `'\\''`)}'`;
}

function escapeByte(byte: number): string {
  const isPlain = byte >= 0x20 && byte <= 0x7e && byte !== 0x27 && byte !== 0x5c;
  return isPlain ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, '0')}`;
}

/** The words of a command as one line. */
export function formatCommandLine(words: readonly string[]): string {
  return words.map(quoteShellWord).join(' ');
}
