import type { SequenceLine } from '../../../../scenarios/format/sequence-diagram.js';
import { escapeHtml, oneLine } from '../../text.js';

const WIDTH = 360;
const LEFT = 52;
const RIGHT = 338;
const TOP = 34;
/** Height of a request with the space above it, and of any other line, in the units of the drawing. */
const REQUEST_HEIGHT = 26;
const LINE_HEIGHT = 20;
const LONGEST_LABEL = 40;

/** The lines as an SVG sequence diagram: a lifeline for each side, an arrow for each line. */
export function drawSvg(lines: readonly SequenceLine[], title: string): string {
  if (lines.length === 0) return '';
  const rows: string[] = [];
  let y = TOP - 10;
  for (const line of lines) {
    y += line.kind === 'request' ? REQUEST_HEIGHT : LINE_HEIGHT;
    rows.push(drawLine(line, y));
  }
  const height = y + 20;
  return `<svg class="diagram" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${escapeHtml(title)}">
<line class="life" x1="${LEFT}" y1="22" x2="${LEFT}" y2="${height}"/><line class="life" x1="${RIGHT}" y1="22" x2="${RIGHT}" y2="${height}"/>
<text class="side" x="${LEFT}" y="14">client</text><text class="side" x="${RIGHT - 16}" y="14">service</text>
${rows.join('\n')}
</svg>`;
}

function drawLine(line: SequenceLine, y: number): string {
  switch (line.kind) {
    case 'end':
      return '';
    case 'if':
    case 'note':
      return `<g class="around">${label(line.text, y)}</g>`;
    case 'lost': {
      const cross = `<path class="lost" d="M${RIGHT - 6} ${y - 6}l12 12m0 -12l-12 12"/>`;
      return group(line, `${cross}${label(line.text, y + 3)}`);
    }
    case 'request': {
      const time = `<text class="time" x="2" y="${y + 3}">${escapeHtml(line.time ?? '')}</text>`;
      return group(line, `${time}${arrow(LEFT, RIGHT, y, 'there')}${label(line.text, y - 4)}`);
    }
    default: {
      const kind = line.isError ? 'back refused' : 'back';
      return group(line, `${arrow(RIGHT, LEFT, y, kind)}${label(line.text, y - 4)}`);
    }
  }
}

function group({ isContext }: { isContext?: boolean }, content: string): string {
  return `<g class="${isContext ? 'around' : 'shown'}">${content}</g>`;
}

function arrow(from: number, to: number, y: number, kind: string): string {
  const way = to > from ? 1 : -1;
  const head = `M${to - way * 8} ${y - 4}L${to - way} ${y}L${to - way * 8} ${y + 4}`;
  return `<path class="${kind}" d="M${from} ${y}H${to - way * 2}"/><path d="${head}"/>`;
}

function label(text: string, y: number): string {
  const line = oneLine(text);
  const short = line.length > LONGEST_LABEL ? `${line.slice(0, LONGEST_LABEL - 1)}…` : line;
  return `<text class="label" x="${LEFT + 12}" y="${y}">${escapeHtml(short)}</text>`;
}
