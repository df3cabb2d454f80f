import type { RaceLine, RaceRun } from '../../conformance/explore/reproduce/race.js';
import { toVisible } from '../../spec/visible.js';
import { formatOffset } from '../parts/format.js';
import { createRows } from '../sequence/create-rows.js';
import { foldQuiet, isQuiet } from '../sequence/folds.js';
import { type ExchangeRow, FOLD_PX, measureRow, type NoteRow, type SequenceRow } from '../sequence/rows.js';

/** A row of one run, with the values for the comparison with the other run. */
export interface RunRow {
  row: SequenceRow;
  /** Equal for corresponding rows of both runs: `reply weather 1`, or `poll` without its number. */
  key: string;
  /** Equal if the rows show the same. */
  appearance: string;
  /** Equal in both runs: `poll 2`, `step finish`; several for a fold. */
  names: readonly string[];
}

/** Appearance of polls without news. */
export const QUIET = 'quiet';

/** The rows of a run, without positions. `unfolded`: see `foldQuiet`. */
export function createRunRows(run: RaceRun, unfolded: ReadonlySet<number>): RunRow[] {
  const start = readStart(run);
  const bySeq = new Map(createRows(run.exchanges, run.findings).map((row) => [row.seq, row]));
  const late = new Set(run.lines.flatMap((line) => (line.what === 'response' ? [line.seq] : [])));
  const steps = new Map<SequenceRow, string | undefined>();
  const rows = run.lines.flatMap((line): SequenceRow[] => {
    if (line.what === 'request' || line.what === 'response') {
      const row = bySeq.get(line.seq);
      return row ? [toExchangeRow(row, line, late.has(line.seq), start)] : [];
    }
    const row = toNoteRow(line, start);
    steps.set(row, 'id' in line ? line.id : undefined);
    return [row];
  });
  return foldQuiet(rows, unfolded).map((row) => toRunRow(row, steps.get(row)));
}

/** ms of the clock of the exchanges. */
export function readStart({ exchanges }: RaceRun): number {
  return exchanges[0]?.request.at ?? 0;
}

type LineOfKind<What> = Extract<RaceLine, { what: What }>;

/** Named as in the report of the run: ids and paths differ between runs and are in the inspector. */
function toExchangeRow(
  row: ExchangeRow,
  line: LineOfKind<'request'> | LineOfKind<'response'>,
  isLate: boolean,
  start: number,
): ExchangeRow {
  const { sent } = row;
  if (line.what === 'response') {
    const request = `response to ${toVisible(line.name, 60)}`;
    const time = formatOffset(line.at - start);
    return setHeight({
      ...row,
      ...{ part: 'response', request, time },
      ...{ sent: undefined, effects: [], findings: [], sentences: [] },
    });
  }
  const named = { ...row, request: toVisible(line.name, 60), ...(sent && { sent: { ...sent } }) };
  if (sent?.tone === 'reply') {
    named.sent!.text = `${named.request}: ${sent.text.replace(/^reply /, '')}`;
    named.request = '';
  }
  if (!isLate) return named;
  return setHeight({ ...named, part: 'request', response: undefined, took: undefined, details: [] });
}

function setHeight(row: ExchangeRow): ExchangeRow {
  return { ...row, height: measureRow(row) };
}

function toNoteRow(line: LineOfKind<'step'> | LineOfKind<'left-out'>, start: number): NoteRow {
  const at = { kind: 'note', y: 0, height: FOLD_PX } as const;
  if (line.what === 'left-out')
    return { ...at, time: '', text: `${line.count} more lines that are not in the file`, tone: 'plain' };
  const tone = line.name.startsWith('tool_call') ? 'call' : line.name.startsWith('finish') ? 'end' : 'plain';
  return { ...at, time: formatOffset(line.at - start), text: toVisible(line.name, 80), tone };
}

function toRunRow(row: SequenceRow, step: string | undefined): RunRow {
  switch (row.kind) {
    case 'note':
      return {
        row,
        key: `step ${row.text}`,
        appearance: row.text,
        names: step === undefined ? [] : [`step ${step}`],
      };
    case 'fold':
      return { row, key: 'poll', appearance: QUIET, names: row.rows.map(({ request }) => request) };
    case 'exchange': {
      const { request, sent, response, lost, details, effects, part = '', exchange } = row;
      const name = request === '' ? sent!.text.split(':')[0]! : request;
      const texts = [sent?.text, response?.text, lost, ...details.map(({ text }) => text)];
      const appearance = isQuiet(row) ? QUIET : [...texts, ...effects.map(({ note }) => note)].join('\n');
      const key = exchange.kind === 'poll' ? name.replace(/ \d+$/, '') : name;
      return { row, key: `${part}${key}`, appearance, names: [name] };
    }
  }
}
