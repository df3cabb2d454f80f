import { signal } from '@preact/signals';
import { useEffect, useLayoutEffect, useMemo, useState } from 'preact/hooks';
import { describeKey } from '../parts/key-name.js';
import { VirtualList } from '../parts/virtual-list.js';
import { logFilter, logRows, selectedExchange } from '../selection.js';
import type { Layout } from '../sequence/layout.js';
import { estimateHeight, LogHead, LogLine } from './log-line.js';
import { createLogFilter, createLogRows, type LogOrder, type LogRow, sortLog } from './log-rows.js';
import './log.css';

/** Kept for the next conversation. */
const isWrapped = signal(false);
const order = signal<LogOrder | undefined>(undefined);

interface LogViewProps {
  layout: Layout;
  /** It can grow. */
  isLive: boolean;
  onSelect: (seq: number) => void;
  onUnfold: (seq: number) => void;
}

/** The exchanges of the diagram as a table. */
export function Log({ layout, isLive, onSelect, onUnfold }: LogViewProps) {
  const text = logFilter.value;
  const isFlat = text !== '' || order.value !== undefined;
  const all = useMemo(() => createLogRows(layout.rows, isFlat), [layout, isFlat]);
  const found = useFiltered(all, text);
  const lines = useMemo(() => (order.value ? sortLog(found, order.value) : found), [found, order.value]);
  const [width, setWidth] = useState(800);
  const height = useMemo(
    () => (isWrapped.value ? (line: LogRow) => estimateHeight(line, width) : LINE_PX),
    [isWrapped.value, width],
  );
  const selected = selectedExchange.value;
  const current = useMemo(
    () => (selected !== undefined ? lines.findIndex(({ seq }) => seq === selected) : isFlat ? 0 : -1),
    [lines, selected, isFlat],
  );
  const isEmpty = lines.length === 0 && text !== '';
  useLayoutEffect(() => {
    logRows.value = isFlat ? lines.map(({ seq }) => seq) : undefined;
  }, [lines, isFlat]);
  useLayoutEffect(() => {
    return () => {
      logRows.value = undefined;
    };
  }, []);
  return (
    <>
      <div class="log-tools">
        <input
          type="search"
          aria-label="Filter the log"
          placeholder="Filter: status:5xx kind:reply rule:replies body:temp_c"
          value={text}
          onInput={({ currentTarget }) => {
            logFilter.value = currentTarget.value;
          }}
        />
        <span class="soft" role="status">
          {isFlat && text !== '' ? `${lines.length} of ${all.length}` : ''}
        </span>
        <button
          type="button"
          class="small"
          aria-pressed={isWrapped.value}
          onClick={() => {
            isWrapped.value = !isWrapped.value;
          }}
        >
          Wrap
        </button>
      </div>
      <VirtualList
        class={isWrapped.value ? 'log table wrapped' : 'log table'}
        label="Log"
        role="grid"
        items={lines}
        height={height}
        current={current}
        canFollow={isLive && !isFlat}
        onWidth={setWidth}
        head={
          <LogHead
            order={order.value}
            onOrder={(next) => {
              order.value = next;
            }}
          />
        }
        render={(line, index) => (
          <LogLine
            key={`${line.row.kind} ${line.seq}`}
            line={line}
            index={index}
            onClick={() => (line.row.kind === 'fold' ? onUnfold(line.seq) : onSelect(line.seq))}
          />
        )}
      />
      {isEmpty && <p class="empty">No exchange fits the filter.</p>}
    </>
  );
}

const LINE_PX = 24;
/** Lines that are searched at once: bodies of a long conversation take too long for one frame. */
const PART = 4000;

/** The lines that match; those of a long log part by part. */
function useFiltered(all: readonly LogRow[], text: string): readonly LogRow[] {
  const filter = useMemo(() => createLogFilter(text, describeKey), [text]);
  const first = useMemo(() => (text === '' ? all : all.slice(0, PART).filter(filter)), [all, text, filter]);
  const [more, setMore] = useState<{ first: readonly LogRow[]; found: readonly LogRow[] } | undefined>(
    undefined,
  );
  useEffect(() => {
    if (text === '' || all.length <= PART) return;
    let found = first;
    let at = PART;
    let timer: ReturnType<typeof setTimeout>;
    const searchPart = () => {
      const part = all.slice(at, at + PART).filter(filter);
      at += PART;
      if (part.length > 0) found = [...found, ...part];
      if (at < all.length) timer = setTimeout(searchPart);
      else setMore({ first, found });
    };
    timer = setTimeout(searchPart);
    return () => clearTimeout(timer);
  }, [all, text, filter, first]);
  return more?.first === first ? more.found : first;
}
