import { formatDuration, formatInline } from '../parts/format.js';
import { groupByLevel } from '../parts/group-by-level.js';
import type { ExchangeRow, SequenceRow, Tone } from './rows.js';

export const STRIP_LANES = ['polls', 'calls', 'faults', 'findings'] as const;
export type StripLane = (typeof STRIP_LANES)[number];

/** Something in the strip. Times are ms of the clock of the exchanges. */
export interface StripMark {
  lane: StripLane;
  from: number;
  /** Equal to `from` for a moment. */
  to: number;
  tone: Tone | 'advice';
  text: string;
}

/** All exchanges of a layout, those in folds too, each once. */
export function listExchangeRows(rows: readonly SequenceRow[]): ExchangeRow[] {
  const bySeq = new Map<number, ExchangeRow>();
  for (const row of rows) {
    if (row.kind === 'exchange') bySeq.set(row.seq, row);
    else if (row.kind === 'fold') for (const each of row.rows) bySeq.set(each.seq, each);
  }
  return [...bySeq.values()];
}

export function readEnd({ exchange: { request, response } }: ExchangeRow): number {
  return response?.at ?? request.at;
}

export function listMarks(rows: readonly ExchangeRow[]): StripMark[] {
  const marks: StripMark[] = [];
  /** Calls without a reply and actions without a result, by the id of the event. */
  const open = new Map<string, StripMark>();
  const last = rows.at(-1);
  const finish = (id: string | undefined, at: number) => {
    const mark = open.get(id ?? '');
    if (!mark) return;
    mark.to = at;
    open.delete(id!);
  };
  for (const row of rows) {
    const { exchange, sent, details, effects, findings, response, request } = row;
    const [from, to] = [exchange.request.at, readEnd(row)];
    if (exchange.kind === 'poll')
      marks.push({ lane: 'polls', from, to: from, tone: response?.tone ?? 'bad', text: request });
    const start = (id: string | undefined, text: string, at: number, tone: Tone) => {
      const mark: StripMark = { lane: 'calls', from: at, to: last ? readEnd(last) : at, tone, text };
      marks.push(mark);
      if (id !== undefined) open.set(id, mark);
      else mark.to = to;
    };
    if (exchange.kind === 'reply') finish(sent?.id, from);
    if (exchange.kind === 'action' && !open.has(sent?.id ?? ''))
      start(sent?.id, sent?.text ?? request, from, 'reply');
    for (const { tone, id, text } of details) {
      if (tone === 'call' && !text.endsWith('(again)')) start(id, text, to, 'call');
      if (tone === 'result') finish(id, to);
    }
    for (const { note } of effects) marks.push({ lane: 'faults', from, to, tone: 'warn', text: note });
    for (const { tone } of groupByLevel(findings)) {
      const text = row.sentences.map((each) => each.text).join(', ') || formatInline(findings[0]!.message);
      marks.push({ lane: 'findings', from, to: from, tone, text });
    }
  }
  return marks.sort((one, other) => Number(one.tone === 'bad') - Number(other.tone === 'bad'));
}

/** Long times without exchanges are shortened. */
export interface TimeAxis {
  /** The position of a time, 0 to 1. */
  place(at: number): number;
  /** The time at a position. */
  read(part: number): number;
  gaps: readonly { part: number; text: string }[];
}

const LONG_GAP_MS = 5000;
/** Width of a shortened gap, as a part of all other times. */
const GAP_PART = 0.08;

/** `times`: those of the marks, in any order. */
export function createTimeAxis(times: readonly number[]): TimeAxis {
  const sorted = [...new Set(times)].sort((one, other) => one - other);
  const steps = sorted.slice(1).map((at, index) => at - sorted[index]!);
  const busy = steps.reduce((sum, step) => sum + (step < LONG_GAP_MS ? step : 0), 0);
  const gapWidth = Math.max(busy * GAP_PART, 1);
  const places: number[] = [0];
  for (const step of steps) places.push(places.at(-1)! + (step < LONG_GAP_MS ? step : gapWidth));
  const whole = places.at(-1)! || 1;
  const gaps = steps.flatMap((step, index) =>
    step < LONG_GAP_MS
      ? []
      : [{ part: (places[index]! + gapWidth / 2) / whole, text: `⋯ ${formatDuration(step)} ⋯` }],
  );
  return {
    place: (at) => interpolate(sorted, places, at) / whole,
    read: (part) => interpolate(places, sorted, part * whole),
    gaps,
  };
}

/** The value of `to` where `from` has `value`; both increase. */
function interpolate(from: readonly number[], to: readonly number[], value: number): number {
  let [low, high] = [0, from.length - 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (from[middle]! <= value) low = middle;
    else high = middle;
  }
  const width = (from[high] ?? 0) - (from[low] ?? 0);
  if (width <= 0) return to[low] ?? 0;
  const part = Math.min(1, Math.max(0, (value - from[low]!) / width));
  return to[low]! + part * (to[high]! - to[low]!);
}
