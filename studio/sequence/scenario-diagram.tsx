import type { SequenceLine } from '../../scenarios/format/sequence-diagram.js';
import { toVisible } from '../../spec/visible.js';

type DrawnLine = Exclude<SequenceLine, { kind: 'end' }>;

const [LINE_PX, GAP_PX, TOP_PX, CHARACTER_PX] = [15, 12, 34, 6.9];
/** Maximum lines of a label. */
const MOST_LINES = 4;

/** A scenario as a sequence diagram. `width`: px. */
export function ScenarioDiagram({ lines, width }: { lines: readonly SequenceLine[]; width: number }) {
  const [client, service] = [28, width - 32];
  const most = Math.floor((service - client - 16) / CHARACTER_PX);
  let y = TOP_PX;
  const rows = lines
    .filter((line): line is DrawnLine => line.kind !== 'end')
    .map((line) => {
      const texts = wrapText(formatLabel(line), most);
      const top = y;
      y += texts.length * LINE_PX + GAP_PX;
      return { line, texts, top };
    });
  return (
    <svg
      class="diagram"
      viewBox={`0 0 ${width} ${y}`}
      width={width}
      height={y}
      role="group"
      aria-label="Scenario as a diagram"
    >
      {[client, service].map((x) => (
        <line key={x} class="lane" x1={x} x2={x} y1="22" y2={y} />
      ))}
      <text class="middle" x={client} y="14">
        client
      </text>
      <text class="middle" x={service} y="14">
        service
      </text>
      {rows.map(({ line, texts, top }, index) => (
        <g key={index} class={isNote(line) ? 'aside' : line.isError ? 'refused' : ''}>
          {texts.map((text, at) => (
            <text key={at} class="middle" x={(client + service) / 2} y={top + 10 + at * LINE_PX}>
              {text}
            </text>
          ))}
          {!isNote(line) && (
            <LineArrow line={line} client={client} service={service} y={top + texts.length * LINE_PX} />
          )}
        </g>
      ))}
    </svg>
  );
}

function isNote(line: DrawnLine): line is Extract<DrawnLine, { kind: 'note' | 'if' }> {
  return line.kind === 'note' || line.kind === 'if';
}

function formatLabel(line: DrawnLine): string {
  const text = toVisible(line.text);
  if (line.kind === 'if') return `only if ${text}`;
  return line.kind === 'note' && line.over === 'both' ? `⚡ ${text}` : text;
}

/** Breaks lines between words if possible. */
function wrapText(text: string, most: number): string[] {
  const lines = [''];
  for (const word of text.split(/\s+/)) {
    const before = lines.at(-1)!;
    if (before !== '' && before.length + 1 + word.length > most) lines.push(word);
    else lines[lines.length - 1] = before === '' ? word : `${before} ${word}`;
  }
  const shown = lines.slice(0, MOST_LINES).map((line) => toVisible(line, most));
  if (lines.length > MOST_LINES) shown[MOST_LINES - 1] = `${shown[MOST_LINES - 1]!.slice(0, most - 2)} …`;
  return shown;
}

interface LineArrowProps {
  line: Exclude<DrawnLine, { kind: 'note' | 'if' }>;
  client: number;
  service: number;
  y: number;
}

function LineArrow({ line: { kind }, client, service, y }: LineArrowProps) {
  const [from, to, way] = kind === 'request' ? [client, service, -1] : [service, client, 1];
  const middle = (client + service) / 2;
  if (kind === 'lost')
    return (
      <>
        <path class="arrow bad" d={`M${from} ${y}H${middle}`} />
        <path class="cross" d={`M${middle - 5} ${y - 5}l10 10m0 -10l-10 10`} />
      </>
    );
  return (
    <>
      <path
        class={`arrow ${kind === 'request' ? '' : kind === 'event' ? 'event' : 'good'}`}
        d={`M${from} ${y}H${to + way * 8}`}
      />
      <path class="head" d={`M${to} ${y}l${way * 8} -4v8z`} />
    </>
  );
}
