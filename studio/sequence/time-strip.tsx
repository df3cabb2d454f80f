import { useEffect, useMemo, useState } from 'preact/hooks';
import { formatOffset } from '../parts/format.js';
import type { Lanes } from './diagram.js';
import { type Layout, selectRows } from './layout.js';
import type { SequenceRow } from './rows.js';
import {
  createTimeAxis,
  listExchangeRows,
  listMarks,
  readEnd,
  STRIP_LANES,
  type StripLane,
  type StripMark,
  type TimeAxis,
} from './time-strip-marks.js';
import './time-strip.css';

const LANE_PX = 13;
/** Fewer exchanges fit on the screen. */
const LEAST_EXCHANGES = 8;
const RIGHT_PX = 12;
/** How far an arrow key moves, as a part of the whole time. */
const STEP = 0.05;

interface TimeStripProps {
  layout: Layout;
  lanes: Lanes;
  /** px of the screen. */
  width: number;
  /** The visible part, px of the diagram. */
  top: number;
  bottom: number;
  onMove: (row: SequenceRow) => void;
}

/** The whole conversation on one time axis: what happened when, and which part the diagram shows. */
export function TimeStrip({ layout, lanes, width, top, bottom, onMove }: TimeStripProps) {
  const drawnLayout = useInOwnTask(layout);
  const rows = useMemo(() => listExchangeRows(drawnLayout.rows), [drawnLayout]);
  const marks = useMemo(() => listMarks(rows), [rows]);
  const axis = useMemo(() => createTimeAxis(marks.flatMap(({ from, to }) => [from, to])), [marks]);
  const left = Math.min(lanes.client * lanes.zoom, 104);
  const inner = Math.max(1, width - left - RIGHT_PX);
  const used = useMemo(() => STRIP_LANES.filter((lane) => marks.some((mark) => mark.lane === lane)), [marks]);
  // Kept while the view scrolls.
  const drawn = useMemo(() => {
    const toX = (at: number) => left + axis.place(at) * inner;
    return used.map((lane, index) => (
      <LaneMarks key={lane} marks={marks} lane={lane} y={index * LANE_PX + 4} toX={toX} />
    ));
  }, [marks, axis, used, left, inner]);
  if (rows.length < LEAST_EXCHANGES) return null;
  const [from, to] = readShownTimes(layout, top, bottom);
  const toX = (at: number) => left + axis.place(at) * inner;
  const start = rows[0]!.exchange.request.at;
  const moveTo = (part: number) => {
    const row = findRow(layout.rows, axis.read(Math.min(1, Math.max(0, part))));
    if (row) onMove(row);
  };
  const moveToPointer = ({ clientX, currentTarget }: PointerEvent) => {
    const { left: edge } = (currentTarget as Element).getBoundingClientRect();
    moveTo((clientX - edge - left) / inner);
  };
  const height = used.length * LANE_PX + 4;
  return (
    <div
      class="time-strip"
      role="slider"
      tabIndex={0}
      aria-label="Overview"
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(axis.place(from) * 100)}
      aria-valuetext={formatOffset(from - start)}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        moveToPointer(event);
      }}
      onPointerMove={(event) => event.buttons === 1 && moveToPointer(event)}
      onKeyDown={(event) => {
        const part = KEYS[event.key]?.(axis.place(from));
        if (part === undefined) return;
        event.preventDefault();
        event.stopPropagation();
        moveTo(part);
      }}
    >
      <svg width={width} height={height} aria-hidden="true">
        {used.map((lane, index) => (
          <text key={lane} x={left - 8} y={index * LANE_PX + 12}>
            {lane}
          </text>
        ))}
        <rect
          class="shown"
          x={toX(from)}
          y="1"
          width={Math.max(4, toX(to) - toX(from))}
          height={height - 2}
          rx="2"
        />
        {drawn}
        <Gaps axis={axis} left={left} inner={inner} />
      </svg>
    </div>
  );
}

/** A new value is used after the page has shown what depends on it elsewhere: together they are too long a task. */
function useInOwnTask<T>(value: T): T {
  const [used, setUsed] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setUsed(value));
    return () => clearTimeout(timer);
  }, [value]);
  return used;
}

const KEYS: Readonly<Record<string, (part: number) => number>> = {
  ArrowLeft: (part) => part - STEP,
  ArrowRight: (part) => part + STEP,
  Home: () => 0,
  End: () => 1,
};

interface LaneMarksProps {
  marks: readonly StripMark[];
  lane: StripLane;
  y: number;
  toX: (at: number) => number;
}

/** At most one mark of a tone for each pixel: a conversation may have 100,000 polls. */
function LaneMarks({ marks, lane, y, toX }: LaneMarksProps) {
  const drawn = new Map<string, StripMark & { x: number; px: number }>();
  for (const mark of marks) {
    if (mark.lane !== lane) continue;
    const x = Math.round(toX(mark.from));
    const px = Math.max(2, Math.round(toX(mark.to)) - x);
    drawn.set(`${x} ${px} ${mark.tone}`, { ...mark, x, px });
  }
  return (
    <>
      {[...drawn].map(([key, { x, px, tone, text }]) => (
        <rect key={key} class={tone} x={x} y={y} width={px} height={LANE_PX - 4} rx="1">
          <title>{text}</title>
        </rect>
      ))}
    </>
  );
}

function Gaps({ axis, left, inner }: { axis: TimeAxis; left: number; inner: number }) {
  let free = 0;
  return (
    <>
      {axis.gaps.map(({ part, text }) => {
        const x = left + part * inner;
        // Labels do not overlap.
        if (x < free) return null;
        free = x + 70;
        return (
          <text key={part} class="gap" x={x} y={LANE_PX - 1}>
            {text}
          </text>
        );
      })}
    </>
  );
}

function readShownTimes({ rows }: Layout, top: number, bottom: number): [from: number, to: number] {
  const shown = listExchangeRows(selectRows(rows, top, bottom));
  return [shown[0]?.exchange.request.at ?? 0, shown.length > 0 ? readEnd(shown.at(-1)!) : 0];
}

/** The last row that starts at this time or earlier. */
function findRow(rows: readonly SequenceRow[], at: number): SequenceRow | undefined {
  return rows.findLast((row) => row.kind !== 'note' && readStart(row) <= at) ?? rows[0];
}

function readStart(row: Exclude<SequenceRow, { kind: 'note' }>): number {
  return (row.kind === 'fold' ? row.rows[0]! : row).exchange.request.at;
}
