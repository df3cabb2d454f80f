import type { Exchange, Finding } from '../../spec/vocabulary.js';
import { formatDuration } from '../parts/format.js';
import { createRows } from './create-rows.js';
import { foldActions, foldQuiet } from './folds.js';
import { DETAIL_PX, DETAILS_Y, type ExchangeRow, REQUEST_Y, type SequenceRow } from './rows.js';

/** Details and requests with one id, over several exchanges. */
export interface Thread {
  id: string;
  /** px from the top; without those in closed folds. */
  ys: number[];
}

/** A time without exchanges, drawn between two rows. */
interface TimeGap {
  /** px from the top: its middle. */
  y: number;
  text: string;
}

export interface Layout {
  rows: SequenceRow[];
  height: number;
  gaps: readonly TimeGap[];
  threads: Thread[];
  bySeq: ReadonlyMap<number, ExchangeRow>;
}

interface LayoutOptions {
  /** Each action or call is one row, with the polls that follow it. */
  onlyActions?: boolean;
}

/** The rows of a diagram, oldest first. `unfolded` contains the first `seq` of each open fold. */
export function layOut(
  exchanges: readonly Exchange[],
  findings: readonly Finding[] = [],
  unfolded: ReadonlySet<number> = new Set(),
  { onlyActions = false }: LayoutOptions = {},
): Layout {
  const all = createRows(exchanges, findings);
  const rows = onlyActions ? foldActions(all, unfolded) : foldQuiet(all, unfolded);
  const gaps: TimeGap[] = [];
  let y = 0;
  let before: number | undefined;
  for (const row of rows) {
    const [start, end] = readTimes(row);
    const idle_ms = before === undefined || onlyActions ? 0 : start - before;
    if (idle_ms >= LONG_GAP_MS) {
      gaps.push({ y: y + GAP_PX / 2, text: `⋯ ${formatDuration(idle_ms)} ⋯` });
      y += GAP_PX;
    } else if (row.kind === 'exchange') y += spaceTime(idle_ms);
    // The rows of an open fold follow it.
    const isOpenFold = row.kind === 'fold' && unfolded.has(row.rows[0]!.seq);
    if (!isOpenFold) before = Math.max(before ?? 0, end);
    row.y = y;
    y += row.height;
  }
  return toLayout(rows, y, gaps);
}

/** Times of the first request and of the last response of a row, ms. */
function readTimes(row: SequenceRow): [start: number, end: number] {
  if (row.kind === 'note') return [0, 0];
  const [first, last] = row.kind === 'fold' ? [row.rows[0]!, row.rows.at(-1)!] : [row, row];
  const { request, response } = last.exchange;
  return [first.exchange.request.at, response?.at ?? request.at];
}

/** From this on, a time without exchanges has a line of its own. */
const LONG_GAP_MS = 5000;
const GAP_PX = 26;

/** px before a row: a long time is wider than a short one, and 100 times as long is not 100 times as wide. */
function spaceTime(ms: number): number {
  return Math.round(10 * Math.log10(1 + Math.max(0, ms) / 10));
}

/** The layout of rows that have their positions. */
export function toLayout(rows: SequenceRow[], height: number, gaps: readonly TimeGap[] = []): Layout {
  const exchanges = rows.filter((row) => row.kind === 'exchange');
  const bySeq = new Map(exchanges.map((row) => [row.seq, row]));
  return { rows, height, gaps, threads: collectThreads(exchanges), bySeq };
}

function collectThreads(rows: readonly ExchangeRow[]): Thread[] {
  const byId = new Map<string, number[]>();
  const addPoint = (id: string | undefined, y: number) => {
    if (id === undefined) return;
    const ys = byId.get(id) ?? [];
    ys.push(y);
    byId.set(id, ys);
  };
  for (const { y, sent, details } of rows) {
    addPoint(sent?.id, y + REQUEST_Y);
    for (const [index, { id }] of details.entries()) addPoint(id, y + DETAILS_Y + index * DETAIL_PX);
  }
  return [...byId].filter(([, ys]) => ys.length > 1).map(([id, ys]) => ({ id, ys }));
}

/** The rows that are visible between `top` and `bottom`, px. */
export function selectRows(rows: readonly SequenceRow[], top: number, bottom: number): SequenceRow[] {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rows[middle]!.y + rows[middle]!.height < top) low = middle + 1;
    else high = middle;
  }
  let end = low;
  while (end < rows.length && rows[end]!.y <= bottom) end++;
  return rows.slice(low, end);
}
