/** Words that need no quotes in any shell: `{base_url}` is one, `{a,b}` is not. */
const PLAIN = /^(?:[\w./:=@%+,-]|\{\w+\})+$/;
const CONTROLS = /(?![\t\n])[\p{Cc}\p{Bidi_Control}]/u;

/** Quotes a text as one shell word. The shell runs nothing in it, and it sends no control characters to the terminal. */
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

export function formatCommandLine(words: readonly string[]): string {
  return words.map(quoteShellWord).join(' ');
}
