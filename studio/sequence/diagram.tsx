import type { Signal } from '@preact/signals';
import { groupByLevel } from '../parts/group-by-level.js';
import { RequestArrow, ResponseArrow } from './arrows.js';
import { Fold } from './fold.js';
import { CHARACTER_PX, chooseFindingClass, truncate } from './labels.js';
import { type Layout, selectRows, type Thread } from './layout.js';
import {
  DETAIL_PX,
  DETAILS_Y,
  type ExchangeRow,
  HEAD_PX,
  type NoteRow,
  RESPONSE_Y,
  type SequenceRow,
} from './rows.js';
import './sequence.css';

/** Positions of the lanes, px. */
export interface Lanes {
  client: number;
  network: number;
  service: number;
  width: number;
  /** px of the screen for each px of the diagram. */
  zoom: number;
}

/** `width`: px of the screen. */
export function computeLanes(width: number, zoom = 1): Lanes {
  const wide = Math.max(Math.floor(width / zoom), 320);
  const client = wide < 520 ? 74 : 104;
  const service = wide - 44;
  return { client, network: Math.round((client + service) / 2), service, width: wide, zoom };
}

/** The lanes, from left to right. */
export const LANES = ['client', 'network', 'service'] as const;

interface DiagramProps {
  layout: Layout;
  lanes: Lanes;
  /** The visible part, px of the diagram. */
  top: number;
  bottom: number;
  selected: number | undefined;
  hovered: Signal<number | undefined>;
  onSelect: (seq: number) => void;
  onUnfold: (seq: number) => void;
}

export function Diagram({ layout, lanes, top, bottom, ...rest }: DiagramProps) {
  const rows = selectRows(layout.rows, top - HEAD_PX, bottom);
  const height = layout.height + 8;
  return (
    <svg
      class="diagram"
      viewBox={`0 0 ${lanes.width} ${height}`}
      width={lanes.width * lanes.zoom}
      height={height * lanes.zoom}
      role="group"
      aria-label="Sequence diagram"
    >
      {LANES.map((name) => lanes[name]).map((x) => (
        <line
          key={x}
          class={x === lanes.network ? 'lane network' : 'lane'}
          x1={x}
          x2={x}
          y1={Math.max(0, top - 50)}
          y2={Math.min(height, bottom + 50)}
        />
      ))}
      {layout.gaps
        .filter(({ y }) => y >= top - HEAD_PX && y <= bottom)
        .map(({ y, text }) => (
          <text key={y} class="middle gap" x={lanes.network} y={y + 4}>
            {text}
          </text>
        ))}
      {rows.map((row) => (
        <DiagramRow key={formatRowKey(row)} row={row} lanes={lanes} {...rest} />
      ))}
      {layout.threads
        .filter(({ ys }) => ys.at(-1)! >= top && ys[0]! <= bottom)
        .map((thread, index) => (
          <ThreadLine key={thread.id} thread={thread} x={lanes.client - 10 - (index % 4) * 5} />
        ))}
    </svg>
  );
}

function formatRowKey(row: SequenceRow): string {
  if (row.kind === 'fold') return `fold ${row.rows[0]!.seq}`;
  return row.kind === 'note' ? `note ${row.y}` : `${row.seq} ${row.part}`;
}

/** Connects a call with its replies, an action with its results. */
function ThreadLine({ thread: { ys }, x }: { thread: Thread; x: number }) {
  return (
    <g class="thread">
      <line x1={x} x2={x} y1={ys[0]} y2={ys.at(-1)} />
      {ys.map((y) => (
        <circle key={y} cx={x} cy={y} r="3" />
      ))}
    </g>
  );
}

export type RowProps = Omit<DiagramProps, 'layout' | 'top' | 'bottom'>;

function DiagramRow({ row, ...rest }: RowProps & { row: SequenceRow }) {
  if (row.kind === 'note') return <Note row={row} lanes={rest.lanes} />;
  return row.kind === 'fold' ? (
    <Fold row={row} lanes={rest.lanes} onUnfold={rest.onUnfold} />
  ) : (
    <Arrows row={row} {...rest} />
  );
}

function Note({ row, lanes: { client, service } }: { row: NoteRow; lanes: Lanes }) {
  return (
    <g class="note" transform={`translate(0 ${row.y})`}>
      <text class="time" x="8" y="19">
        {row.time}
      </text>
      <circle class={row.tone} cx={service} cy="15" r="5" />
      <text class={`label end ${row.tone}`} x={service - 12} y="19">
        {truncate(row.text, service - client - 24)}
      </text>
    </g>
  );
}

function Arrows({ row, lanes, selected, hovered, onSelect }: RowProps & { row: ExchangeRow }) {
  const { client, service, width } = lanes;
  const span = service - client;
  const states = [
    row.seq === selected && 'selected',
    row.seq === hovered.value && 'hovered',
    chooseFindingClass(row.findings),
  ];
  const isReply = row.sent?.tone === 'reply';
  const label = (isReply ? [row.sent?.text, row.request] : [row.request, row.sent?.text])
    .filter(Boolean)
    .join('  ');
  const select = () => onSelect(row.seq);
  const [found] = groupByLevel(row.findings);
  const responseText = row.response?.text ?? (row.isOpen ? 'no response yet' : '');
  // A response of the network starts at its lane.
  const isOfNetwork = row.effects.some(({ effect, side }) => effect === 'replaced' && side === 'request');
  const end = isOfNetwork ? lanes.network : service;
  const rest = end - client - 30 - ((row.took?.length ?? 0) + 2) * CHARACTER_PX;
  return (
    <g
      class={['row', ...states.filter(Boolean)].join(' ')}
      data-seq={row.seq}
      role="button"
      // In SVG, Preact writes the name of the attribute as it is given.
      tabindex={row.seq === selected ? 0 : -1}
      aria-current={row.seq === selected}
      transform={`translate(0 ${row.y})`}
      onClick={select}
      onKeyDown={(event) => event.key === 'Enter' && select()}
      onMouseEnter={() => {
        hovered.value = row.seq;
      }}
      onMouseLeave={() => {
        hovered.value = undefined;
      }}
    >
      <rect class="back" x="0" y="0" width={width} height={row.height} />
      <text class="time" x="8" y="20">
        {row.time}
      </text>
      <text class={`label ${row.sent?.tone ?? ''}`} x={client + 10} y="15">
        {truncate(label, span - 20)}
      </text>
      {row.part !== 'response' && <RequestArrow row={row} lanes={lanes} />}
      <ResponseArrow row={row} lanes={lanes} />
      {responseText !== '' && (
        <text class={`label end ${row.response?.tone ?? 'soft'}`} x={end - 10} y="39">
          {truncate(responseText, rest)}
          {row.took && <tspan class="took"> {row.took}</tspan>}
        </text>
      )}
      {row.details.map((detail, index) => (
        <text
          key={index}
          class={`label end ${detail.tone}`}
          x={service - 10}
          y={DETAILS_Y + index * DETAIL_PX + 4}
        >
          {truncate(`${MARKS[detail.tone] ?? ''}${detail.text}`, span - 20)}
        </text>
      ))}
      {row.effects.length > 0 && (
        <text
          class="label middle effect"
          x={lanes.network}
          y={DETAILS_Y + row.details.length * DETAIL_PX + 4}
        >
          ⚡ {truncate(row.effects.map(({ note }) => note).join(', '), span)}
        </text>
      )}
      {found && (
        <circle class={`finding ${found.tone}`} cx={client} cy={RESPONSE_Y - 12} r="5">
          <title>{row.findings.map(({ message }) => message).join('\n')}</title>
        </circle>
      )}
      {row.sentences.map(({ sign, tone, text }, index) => (
        <text
          key={index}
          class={`label sentence ${tone}`}
          x={client + 10}
          y={DETAILS_Y + (row.details.length + Number(row.effects.length > 0) + index) * DETAIL_PX + 4}
        >
          {truncate(`${sign} ${text}`, span - 20)}
        </text>
      ))}
    </g>
  );
}

const MARKS: Readonly<Record<string, string>> = { call: '⚙ ', result: '◂ ', end: '■ ' };
