const COLUMNS = 108;
const CHARACTER = 7.8;
const LINE = 18;
const TOP = 40;

/** SGR codes of a terminal, as CSS. */
const COLORS: Readonly<Record<string, string>> = {
  31: '#ff7b72',
  32: '#7ee787',
  33: '#e3b341',
  34: '#79c0ff',
  36: '#76e3ea',
  90: '#8b949e',
};

interface Span {
  text: string;
  color: string | undefined;
  isBold: boolean;
  isDim: boolean;
}

/** A picture of a terminal in which `command` was typed and `output` was printed, with its colors. */
export function drawTerminal(command: string, output: string): string {
  const typed = command
    .split('\n')
    .map((line, index) => (index === 0 ? `\u001b[32m$\u001b[39m ${line}` : line));
  const rows = [...typed, ...output.trimEnd().split('\n')].flatMap((line) => wrap(parseSpans(line)));
  const width = Math.ceil(COLUMNS * CHARACTER + 32);
  const height = TOP + rows.length * LINE + 12;
  const lines = rows.map(
    (spans, index) => `<text x="16" y="${TOP + (index + 1) * LINE - 5}">${spans.map(draw).join('')}</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="13" fill="#e6edf3">
<title>${escapeXml(command)}</title>
<rect width="${width}" height="${height}" rx="8" fill="#0d1117"/>
<circle cx="20" cy="18" r="5" fill="#ff5f57"/><circle cx="38" cy="18" r="5" fill="#febc2e"/><circle cx="56" cy="18" r="5" fill="#28c840"/>
${lines.join('\n')}
</svg>
`;
}

function parseSpans(line: string): Span[] {
  const spans: Span[] = [];
  let style = { color: undefined as string | undefined, isBold: false, isDim: false };
  // biome-ignore lint/suspicious/noControlCharactersInRegex: ESC begins a color
  for (const part of line.split(/(\u001b\[[\d;]*m)/)) {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the same
    const codes = /^\u001b\[([\d;]*)m$/.exec(part)?.[1];
    if (codes !== undefined) for (const code of codes.split(';')) style = applyCode(style, code);
    else if (part !== '') spans.push({ text: part, ...style });
  }
  return spans;
}

function applyCode(style: Omit<Span, 'text'>, code: string): Omit<Span, 'text'> {
  if (code === '' || code === '0') return { color: undefined, isBold: false, isDim: false };
  if (code === '1') return { ...style, isBold: true };
  if (code === '2') return { ...style, isDim: true };
  if (code === '22') return { ...style, isBold: false, isDim: false };
  if (code === '39') return { ...style, color: undefined };
  return code in COLORS ? { ...style, color: COLORS[code] } : style;
}

/** Breaks a long line at a space; what follows is indented as its beginning is. */
function wrap(spans: readonly Span[]): Span[][] {
  const text = spans.map((span) => span.text).join('');
  if (text.length <= COLUMNS) return [[...spans]];
  const space = text.lastIndexOf(' ', COLUMNS);
  const indent = /^ */.exec(text)![0].length;
  const at = space > indent ? space : COLUMNS;
  const rest = sliceSpans(spans, at, Number.POSITIVE_INFINITY);
  rest[0]!.text = ' '.repeat(indent + 2) + rest[0]!.text.trimStart();
  return [sliceSpans(spans, 0, at), ...wrap(rest)];
}

/** The characters from `from` to `to`, with their styles. */
function sliceSpans(spans: readonly Span[], from: number, to: number): Span[] {
  let position = 0;
  return spans.flatMap((span) => {
    const start = position;
    position += span.text.length;
    const text = span.text.slice(Math.max(0, from - start), Math.max(0, to - start));
    return text === '' ? [] : [{ ...span, text }];
  });
}

function draw({ text, color, isBold, isDim }: Span): string {
  const attributes = [
    color && ` fill="${color}"`,
    isBold && ' font-weight="bold"',
    isDim && ' fill-opacity="0.65"',
  ].filter(Boolean);
  // Viewers collapse ordinary spaces, or not: it depends on how the picture is embedded.
  return `<tspan${attributes.join('')}>${escapeXml(text).replaceAll(' ', '\u00a0')}</tspan>`;
}

export function escapeXml(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
