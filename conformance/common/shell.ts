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

/** The words of a command line, with quotes and backslashes as in a shell, which runs nothing else in it. Undefined if a quote is open. */
export function splitCommandLine(line: string): string[] | undefined {
  const words: string[] = [];
  const word = /(?:[^\s'"\\]|\\[\s\S]|'[^']*'|"(?:[^"\\]|\\[\s\S])*")+/y;
  for (let at = 0; ; at = word.lastIndex) {
    at += /^\s*/.exec(line.slice(at))![0].length;
    if (at === line.length) return words;
    word.lastIndex = at;
    const found = word.exec(line)?.[0];
    if (found === undefined) return undefined;
    words.push(
      found.replace(
        /'([^']*)'|"((?:[^"\\]|\\[\s\S])*)"|\\([\s\S])/g,
        (_, single, double, one) => single ?? double?.replace(/\\(["\\$`])/g, '$1') ?? one,
      ),
    );
  }
}

export function formatCommandLine(words: readonly string[]): string {
  return words.map(quoteShellWord).join(' ');
}
