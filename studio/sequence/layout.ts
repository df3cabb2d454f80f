import { toFields } from '../../conformance/conversation/json.js';
import { ReadExchange } from '../../conformance/conversation/read-exchange.js';
import { shortenUrl } from '../../conformance/conversation/sequence-lines.js';
import { toVisible } from '../../spec/visible.js';
import type { Exchange, Finding, NetworkEffect } from '../../spec/vocabulary.js';
import { formatDuration, formatInline, formatOffset } from '../parts/format.js';
import { makeRows } from './row-cache.js';

/** A class of the style sheet. */
export type Tone = 'plain' | 'good' | 'warn' | 'bad' | 'call' | 'reply' | 'result' | 'end';

/** A note under an arrow: an event of a response, or the content of a request. */
interface Detail {
  tone: Tone;
  text: string;
  /** Connects a call with its replies, and an action with its results. */
  id: string | undefined;
}

export interface ExchangeRow {
  kind: 'exchange';
  seq: number;
  exchange: Exchange;
  /** px from the top, and the height. */
  y: number;
  height: number;
  time: string;
  request: string;
  /** Undefined: no response reached the client. */
  response: { text: string; tone: Tone } | undefined;
  /** `340 ms`; undefined if it took no time. */
  took: string | undefined;
  effects: readonly NetworkEffect[];
  /** Which message the network lost; undefined if none. */
  lost: 'request' | 'response' | undefined;
  isOpen: boolean;
  /** If the row shows the request or the response only, because other rows are between them. */
  part?: 'request' | 'response';
  sent: Detail | undefined;
  details: readonly Detail[];
  findings: readonly Finding[];
}

/** Consecutive polls without news. */
export interface FoldRow {
  kind: 'fold';
  y: number;
  height: number;
  rows: readonly ExchangeRow[];
  time: string;
  text: string;
}

/** A row that is no exchange, such as a step of the service. */
export interface NoteRow {
  kind: 'note';
  y: number;
  height: number;
  time: string;
  text: string;
  tone: Tone;
}

export type SequenceRow = ExchangeRow | FoldRow | NoteRow;

/** Details and requests with one id, over several exchanges. */
export interface Thread {
  id: string;
  /** px from the top; without those in closed folds. */
  ys: number[];
}

export interface Layout {
  rows: SequenceRow[];
  height: number;
  threads: Thread[];
  bySeq: ReadonlyMap<number, ExchangeRow>;
}

export const HEAD_PX = 30;
/** From the top of a row, px: the arrow of the request, that of the response, the first line below them. */
export const REQUEST_Y = 20;
export const RESPONSE_Y = 44;
export const DETAILS_Y = 58;
export const DETAIL_PX = 18;
export const ARROWS_PX = 52;
export const FOLD_PX = 30;
/** Fewer consecutive polls are not folded. */
const LEAST_FOLDED = 3;
/** Events of one response that are drawn; the inspector shows all. */
const MOST_DETAILS = 40;

/** A response may still arrive. */
export function isPending({ response, network = [] }: Exchange): boolean {
  return response === undefined && !network.some(({ effect }) => effect === 'lost');
}

/** Avoids parsing again: each new exchange lays out all exchanges of the conversation. */
const readExchanges = new WeakMap<Exchange, ReadExchange>();

export function readExchange(exchange: Exchange): ReadExchange {
  const read = readExchanges.get(exchange) ?? new ReadExchange(exchange);
  readExchanges.set(exchange, read);
  return read;
}

/** The rows of a diagram, oldest first. `unfolded` contains the first `seq` of each open fold. */
export function layOut(
  exchanges: readonly Exchange[],
  findings: readonly Finding[] = [],
  unfolded: ReadonlySet<number> = new Set(),
): Layout {
  const rows = foldQuiet(createRows(exchanges, findings), unfolded);
  let y = 0;
  for (const row of rows) {
    row.y = y;
    y += row.height;
  }
  return toLayout(rows, y);
}

/** A row for each exchange, without a position. */
export function createRows(exchanges: readonly Exchange[], findings: readonly Finding[]): ExchangeRow[] {
  const start = exchanges[0]?.request.at ?? 0;
  const found = groupFindings(findings);
  const rows = makeRows(exchanges, (exchange, known) => toRow(exchange, start, known));
  for (const row of rows) row.findings = found.get(row.seq) ?? [];
  return rows;
}

/** By `seq` of their evidence. */
export function groupFindings(findings: readonly Finding[]): Map<number, Finding[]> {
  const found = new Map<number, Finding[]>();
  for (const finding of findings)
    for (const seq of finding.evidence) {
      const those = found.get(seq);
      if (those) those.push(finding);
      else found.set(seq, [finding]);
    }
  return found;
}

/** Replaces consecutive polls without news by a fold. The rows of an open fold follow it. */
export function foldQuiet(all: readonly SequenceRow[], unfolded: ReadonlySet<number>): SequenceRow[] {
  const rows: SequenceRow[] = [];
  for (let at = 0; at < all.length; ) {
    const quiet: ExchangeRow[] = [];
    for (let row = all[at]; row?.kind === 'exchange' && isQuiet(row); row = all[at + quiet.length])
      quiet.push(row);
    if (quiet.length >= LEAST_FOLDED) {
      rows.push(toFold(quiet));
      if (unfolded.has(quiet[0]!.seq)) for (const row of quiet) rows.push(row);
      at += quiet.length;
    } else rows.push(all[at++]!);
  }
  return rows;
}

/** The layout of rows that have their positions. */
export function toLayout(rows: SequenceRow[], height: number): Layout {
  const exchanges = rows.filter((row) => row.kind === 'exchange');
  const bySeq = new Map(exchanges.map((row) => [row.seq, row]));
  return { rows, height, threads: collectThreads(exchanges), bySeq };
}

function toRow(exchange: Exchange, start: number, known: Set<string>): ExchangeRow {
  const read = readExchange(exchange);
  const { seq, request, response, network = [] } = exchange;
  const details: Detail[] = [];
  const events = read.events.slice(0, MOST_DETAILS);
  const left = read.events.length - events.length;
  const here = new Set<string>();
  for (const event of events) {
    const key = `${event.key} ${event.timestamp}`;
    const isAgain = known.has(key);
    known.add(key);
    const isTwice = here.has(key);
    here.add(key);
    const again = isAgain ? ' (again)' : '';
    const payload = event.payload ?? {};
    const label =
      event.shape === 'call'
        ? `${event.name} ${payload.name} ${formatInline(payload.input)}`
        : event.shape === 'result'
          ? `result ${payload.code ?? ''} ${formatInline(payload.output)}`
          : `${event.name} as it was sent`;
    // Each poll from the start of a session lists all actions and results again.
    if (!isAgain || isTwice || read.cursor.value !== 0)
      details.push({
        tone: event.shape === 'call' ? 'call' : 'result',
        text: toVisible(label + again, 120),
        id: event.id,
      });
  }
  if (left > 0) details.push({ tone: 'plain', text: `and ${left} more events`, id: undefined });
  const sent = describeSent(read);
  const isStatusNew = read.status !== undefined && !known.has(`status ${read.status}`);
  if (read.status !== undefined) known.add(`status ${read.status}`);
  const isEnd = isStatusNew && read.status !== 'waiting' && read.status !== 'running';
  if (isEnd)
    details.push({
      tone: 'end',
      text: toVisible(`${read.status}: ${formatInline(read.record?.output, 100)}`, 120),
      id: undefined,
    });
  const lost = network.find(({ effect }) => effect === 'lost');
  const row: ExchangeRow = {
    kind: 'exchange',
    seq,
    exchange,
    y: 0,
    height: ARROWS_PX + details.length * DETAIL_PX + (network.length > 0 ? DETAIL_PX : 0),
    time: formatOffset(request.at - start),
    request: toVisible(`${request.method} ${shortenUrl(request.url)}`, 90),
    response: response && { text: formatResponse(read), tone: chooseTone(response.status) },
    took: response && response.at > request.at ? formatDuration(response.at - request.at) : undefined,
    effects: network,
    lost: lost && (lost.side ?? 'response'),
    isOpen: isPending(exchange),
    sent,
    details,
    findings: [],
  };
  return row;
}

function describeSent(read: ReadExchange): Detail | undefined {
  const { reply, action } = read;
  if (reply) {
    const text = `reply ${formatInline(reply.payload?.code, 10)} ${formatInline(reply.payload?.output)}`;
    return {
      tone: 'reply',
      text: toVisible(text, 110),
      id: typeof reply.id === 'string' ? reply.id : undefined,
    };
  }
  if (action) {
    const { name, input } = toFields(action.payload) ?? {};
    const id = typeof action.id === 'string' ? action.id : undefined;
    return { tone: 'reply', text: toVisible(`${name} ${formatInline(input)}`, 110), id };
  }
  if (read.is('createTask'))
    return { tone: 'plain', text: formatInline(toFields(read.requestJson)?.task, 110), id: undefined };
  return undefined;
}

/** The HTTP status with the status of the task or the `detail` of an error. */
function formatResponse(read: ReadExchange): string {
  const { httpStatus, status, ok, responseJson } = read;
  const detail = ok ? undefined : toFields(responseJson)?.detail;
  const words =
    status ?? (typeof detail === 'string' ? detail : detail === undefined ? '' : formatInline(detail));
  return toVisible(`${httpStatus} ${words}`.trim(), 90);
}

export function chooseTone(status: number): Tone {
  if (status >= 500 || status === 0) return 'bad';
  return status >= 400 ? 'warn' : 'good';
}

/** True for a poll without news. A finding `polling/pace` does not count: fast polling repeats it at each poll. */
export function isQuiet({ exchange, details, effects, findings, isOpen, part }: ExchangeRow): boolean {
  const isPoll =
    exchange.kind === 'poll' && exchange.response?.status === 202 && !isOpen && part === undefined;
  return (
    isPoll && details.length + effects.length === 0 && findings.every(({ rule }) => rule === 'polling/pace')
  );
}

function toFold(rows: ExchangeRow[]): FoldRow {
  const time = rows[0]!.time;
  const tooFast = rows.filter(({ findings }) => findings.length > 0).length;
  const text = `${rows.length} polls, 202, nothing new${tooFast > 0 ? ', too fast' : ''}`;
  return { kind: 'fold', y: 0, height: FOLD_PX, rows, time, text };
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
