import type { Finding } from '../../spec/vocabulary.js';
import { formatDuration, formatSize } from '../parts/format.js';
import { groupByLevel } from '../parts/group-by-level.js';
import { hovered, selectedExchange } from '../selection.js';
import type { ExchangeRow, FoldRow } from '../sequence/rows.js';
import { describeRow, type LogColumn, type LogOrder, type LogRow, listParts } from './log-rows.js';

const COLUMNS: Readonly<Record<LogColumn, string>> = {
  time: 'Time',
  since: 'Δ',
  kind: 'Kind',
  what: 'What',
  status: 'Status',
  took: 'ms',
  size: 'Size',
  finding: 'Finding',
};

interface LogHeadProps {
  order: LogOrder | undefined;
  onOrder: (order: LogOrder | undefined) => void;
}

/** The names of the columns: a click sorts, a second one reverses, a third one restores the order of the requests. */
export function LogHead({ order, onOrder }: LogHeadProps) {
  const sortBy = (column: LogColumn) => {
    if (order?.column !== column) onOrder({ column, isDescending: false });
    else onOrder(order.isDescending ? undefined : { column, isDescending: true });
  };
  return (
    <div class="log-head" role="rowgroup">
      <div class="log-columns" role="row">
        {(Object.keys(COLUMNS) as LogColumn[]).map((column) => {
          const isSorted = order?.column === column;
          const direction = isSorted ? (order.isDescending ? 'descending' : 'ascending') : 'none';
          return (
            <span
              key={column}
              role="columnheader"
              aria-sort={direction}
              class={column === 'status' ? 'status-code' : column}
            >
              <button type="button" title="Sort" onClick={() => sortBy(column)}>
                {COLUMNS[column]}
                {isSorted && <span aria-hidden="true">{order.isDescending ? ' ↓' : ' ↑'}</span>}
              </button>
            </span>
          );
        })}
      </div>
    </div>
  );
}

interface LogLineProps {
  line: LogRow;
  index: number;
  onClick: () => void;
}

export function LogLine({ line, index, onClick }: LogLineProps) {
  const { seq } = line;
  const isSelected = seq === selectedExchange.value;
  return (
    <div
      role="row"
      // The head is row 1.
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      tabIndex={-1}
      data-seq={seq}
      class={`log-line log-columns ${seq === hovered.value ? 'hovered' : ''}`}
      onClick={onClick}
      onMouseEnter={() => {
        hovered.value = seq;
      }}
      onMouseLeave={() => {
        hovered.value = undefined;
      }}
    >
      <Cells {...line} />
    </div>
  );
}

function Cells({ row, sinceLast, took, size }: LogRow) {
  const isFold = row.kind === 'fold';
  const what = isFold ? describeFold(row) : describeRow(row);
  const { response, isOpen } = isFold ? row.rows.at(-1)! : row;
  const status = response?.text.split(' ')[0] ?? (isOpen ? '…' : 'lost');
  const tone = response?.tone ?? (isOpen ? 'soft' : 'bad');
  const findings = isFold ? listFoldFindings(row.rows) : row.findings;
  return (
    <>
      <span role="gridcell" class="time">
        {row.time}
      </span>
      <span role="gridcell" class="since">
        {sinceLast === undefined ? '' : formatDuration(sinceLast)}
      </span>
      <span role="gridcell" class="kind">
        {(isFold ? row.rows[0]! : row).exchange.kind}
      </span>
      <span role="gridcell" class={`what ${isFold ? 'soft' : ''}`} title={what}>
        {isFold
          ? what
          : listParts(row).map(({ tone, text }, index) => (
              <span key={index}>
                {index > 0 && ' · '}
                <span class={tone}>{text}</span>
              </span>
            ))}
      </span>
      <span role="gridcell" class={`status-code ${tone}`}>
        {status}
      </span>
      <span role="gridcell" class="took">
        {took === undefined ? '' : Math.round(took)}
      </span>
      <span role="gridcell" class="size">
        {size === undefined ? '' : formatSize(size)}
      </span>
      <span role="gridcell" class="finding" title={findings.map(({ message }) => message).join('\n')}>
        {groupByLevel(findings).map(({ sign, tone, findings: its }) => (
          <span key={tone} class={tone}>
            {sign} {its.map(({ rule }) => rule).join(', ')}{' '}
          </span>
        ))}
      </span>
    </>
  );
}

function describeFold({ text, outcome }: FoldRow): string {
  return [`↻ ${text}`, outcome?.text, outcome?.took].filter(Boolean).join(' · ');
}

/** One finding of each rule: each poll of a fold may have the same advice. */
function listFoldFindings(rows: readonly ExchangeRow[]): Finding[] {
  return [...new Map(rows.flatMap(({ findings }) => findings).map((each) => [each.rule, each])).values()];
}

const LINE_PX = 24;
const CHARACTER_PX = 7.25;
/** Width of the other columns, px. */
const OTHERS_PX = 570;

/** The height of a wrapped line, px. `width`: of the table, px. */
export function estimateHeight({ row }: LogRow, width: number): number {
  if (row.kind === 'fold') return LINE_PX;
  const characters = Math.max(20, (width - (width < 640 ? 240 : OTHERS_PX)) / CHARACTER_PX);
  return LINE_PX * Math.max(1, Math.ceil(describeRow(row).length / characters));
}
