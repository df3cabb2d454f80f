import { addDarkColors, replaceColorNames } from '../../../spec/generate/studio-colors.js';
import { escapeXml } from './terminal-svg.js';

const WIDTH = 760;
const LEFT = 90;
const RIGHT = WIDTH - 90;
const MIDDLE = WIDTH / 2;
const ROW = 34;
const LONGEST = 76;
const MONO = `font-family="ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="12"`;

/** Draws a Mermaid sequence diagram of a client and a service, as `scenarios draw` and `explore` write it. */
export function drawMermaidSvg(mermaid: string): string {
  const lines = mermaid
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => line.trim());
  const title = /^title (.*)$/.exec(lines[0] ?? '')?.[1];
  const rows: string[] = [];
  let y = title === undefined ? 66 : 96;
  for (const line of lines.filter((each) => !/^(title|participant) /.test(each))) {
    rows.push(drawLine(line, y));
    y += ROW;
  }
  const top = title === undefined ? 26 : 56;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${y}" width="${WIDTH}" height="${y}" role="img" font-family="system-ui, 'Segoe UI', 'DejaVu Sans', sans-serif" font-size="13" fill="$fg" text-anchor="middle">
<title>${decode(title ?? 'Sequence diagram')}</title>
<rect width="${WIDTH}" height="${y}" rx="8" fill="$bg" stroke="$line"/>
${title === undefined ? '' : `<text x="${MIDDLE}" y="28" font-size="15" font-weight="bold">${decode(title)}</text>\n`}${[
  'Client',
  'Service',
]
  .map((name, index) => drawSide(name, index === 0 ? LEFT : RIGHT, top, y))
  .join('\n')}
${rows.join('\n')}
</svg>
`;
  return addDarkColors(replaceColorNames(svg));
}

function drawSide(name: string, x: number, top: number, bottom: number): string {
  return `<path d="M${x} ${top + 12}V${bottom - 12}" stroke="$line" stroke-width="2"/><rect x="${x - 44}" y="${top - 14}" width="88" height="26" rx="6" fill="$panel" stroke="$line"/><text x="${x}" y="${top + 4}" font-weight="600">${name}</text>`;
}

function drawLine(line: string, y: number): string {
  const [, note] = /^Note over [\w,]+: (.*)$/.exec(line) ?? [];
  if (note !== undefined) return drawNote(note, y);
  const [, from, sign, , text] = /^(Client|Service)(-.*?)(Client|Service): (.*)$/.exec(line) ?? [];
  if (text === undefined)
    return drawNote(line === 'end' ? 'end of the condition' : line.replace(/^opt /, 'only if '), y);
  const isRight = from === 'Client';
  const isLost = sign!.includes('x');
  const color = isLost ? '$bad' : isRight ? '$fg' : '$good';
  const start = isRight ? LEFT : RIGHT;
  const end = isLost ? MIDDLE : isRight ? RIGHT : LEFT;
  const way = isRight ? 1 : -1;
  const head = isLost
    ? `M${end - 5} ${y - 5}l10 10m0 -10l-10 10`
    : `M${end - way * 9} ${y - 5}L${end - way} ${y}L${end - way * 9} ${y + 5}`;
  const dashes = sign!.startsWith('--') ? ' stroke-dasharray="5 4"' : '';
  return `<path d="M${start} ${y}H${end - way * 2}" stroke="${color}" stroke-width="1.5"${dashes}/><path d="${head}" stroke="${color}" stroke-width="1.5" fill="none"/><text x="${start + way * 10}" y="${y - 6}" text-anchor="${isRight ? 'start' : 'end'}" fill="${color}" ${MONO}>${decode(truncate(text))}</text>`;
}

function drawNote(text: string, y: number): string {
  return `<rect x="${LEFT + 40}" y="${y - 16}" width="${RIGHT - LEFT - 80}" height="24" rx="4" fill="$warn-bg" stroke="$warn"/><text x="${MIDDLE}" y="${y + 1}" ${MONO}>${decode(truncate(text))}</text>`;
}

function truncate(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text;
}

/** Mermaid writes its own signs as `#59;`. */
function decode(text: string): string {
  return escapeXml(text.replace(/#(\d+);/g, (_, code) => String.fromCharCode(Number(code))));
}
