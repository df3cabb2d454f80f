import { matchesFilter, parseFilter } from '../../spec/filter-words.js';
import { toVisible } from '../../spec/visible.js';
import type { ExchangeRow, FoldRow, SequenceRow } from '../sequence/rows.js';

/** A line of the log: an exchange, or consecutive polls without news. */
export interface LogRow {
  row: ExchangeRow | FoldRow;
  /** Of the first exchange. */
  seq: number;
  /** ms since the request before it; undefined for the first. */
  sinceLast: number | undefined;
  /** ms until the response; undefined without one. */
  took: number | undefined;
  /** Characters of the body of the response; undefined without one. */
  size: number | undefined;
}

export type LogColumn = 'time' | 'since' | 'kind' | 'what' | 'status' | 'took' | 'size' | 'finding';

export interface LogOrder {
  column: LogColumn;
  isDescending: boolean;
}

/** The rows of a diagram as lines of the log. `isFlat`: the exchanges of a fold instead of the fold. */
export function createLogRows(rows: readonly SequenceRow[], isFlat: boolean): LogRow[] {
  const all = new Map(
    rows
      .flatMap((row) => (row.kind === 'note' ? [] : row.kind === 'fold' ? row.rows : [row]))
      .map((row) => [row.seq, row]),
  );
  const since = new Map<number, number>();
  let before: number | undefined;
  for (const [seq, { exchange }] of all) {
    const { at } = exchange.request;
    if (before !== undefined) since.set(seq, Math.max(0, at - before));
    before = at;
  }
  return (isFlat ? [...all.values()] : rows).flatMap((row): LogRow[] => {
    if (row.kind === 'note') return [];
    const seq = row.kind === 'fold' ? row.rows[0]!.seq : row.seq;
    const { request, response } = row.kind === 'fold' ? {} : row.exchange;
    return [
      {
        row,
        seq,
        sinceLast: since.get(seq),
        took: response && request && response.at - request.at,
        size: response && response.body.length + (response.left_out ?? 0),
      },
    ];
  });
}

/** A function that says whether a line matches the words of a filter. `describeKey`: texts of the key of an organisation. */
export function createLogFilter(text: string, describeKey: (organisation: string) => string) {
  const words = parseFilter(text);
  return ({ row }: LogRow): boolean => {
    if (row.kind === 'fold') return false;
    const { exchange, findings } = row;
    const { request, response, kind, organisation, scenario, seq, task } = exchange;
    return matchesFilter(words, (field) => {
      switch (field) {
        case 'status':
          return [response?.status, response ? undefined : 'lost', row.response?.text.split(' ')[1]];
        case 'kind':
          return [kind];
        case 'rule':
          return findings.map(({ rule }) => rule);
        case 'body':
          return [request.body, response?.body];
        case 'key':
          return [organisation, describeKey(organisation)];
        case 'scenario':
          return [scenario];
        case 'url':
          return [request.url];
        case 'id':
          return [task, seq];
        default:
          return [
            describeRow(row),
            row.response?.text,
            ...findings.flatMap(({ rule, message }) => [rule, message]),
          ];
      }
    });
  };
}

/** What was sent, what the network did, what came, the words of the response, and the request: the most telling first. */
export function describeRow(row: ExchangeRow): string {
  return listParts(row)
    .map(({ text }) => text)
    .join(' · ');
}

/** A part of the description of a row, with a class of the style sheet. */
interface RowPart {
  text: string;
  tone: string;
}

export function listParts({ request, sent, details, effects, response, isOpen }: ExchangeRow): RowPart[] {
  const words = response ? response.text.replace(/^\d+ ?/, '') : isOpen ? 'no response yet' : 'no response';
  return [
    ...(sent ? [sent] : []),
    ...effects.map(({ note }) => ({ tone: 'effect', text: `⚡ ${toVisible(note, 200)}` })),
    ...details,
    { tone: response?.tone ?? 'soft', text: words },
    { tone: 'soft', text: request },
  ].filter(({ text }) => text !== '');
}

export function sortLog(lines: readonly LogRow[], { column, isDescending }: LogOrder): LogRow[] {
  const keys = new Map(lines.map((line) => [line, readSortKey(line, column)]));
  const sign = isDescending ? -1 : 1;
  return lines.toSorted((one, other) => {
    const [a, b] = [keys.get(one)!, keys.get(other)!];
    // Lines without a value come last.
    if (a === '' || b === '') return Number(a === '') - Number(b === '');
    return a === b ? 0 : a < b ? -sign : sign;
  });
}

function readSortKey({ row, seq, sinceLast, took, size }: LogRow, column: LogColumn): number | string {
  if (row.kind === 'fold') return '';
  switch (column) {
    case 'time':
      return seq;
    case 'since':
      return sinceLast ?? '';
    case 'kind':
      return row.exchange.kind;
    case 'what':
      return describeRow(row);
    case 'status':
      return row.exchange.response?.status ?? 0;
    case 'took':
      return took ?? '';
    case 'size':
      return size ?? '';
    case 'finding':
      return row.findings.find(({ level }) => level === 'must')?.rule ?? row.findings[0]?.rule ?? '';
  }
}
