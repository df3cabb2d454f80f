import { useMemo } from 'preact/hooks';
import { VirtualList } from '../parts/virtual-list.js';
import { hovered, selectedExchange } from '../selection.js';
import type { Layout } from '../sequence/layout.js';
import { toLogLines } from './log-lines.js';

interface LogViewProps {
  layout: Layout;
  /** It can grow. */
  isLive: boolean;
  onSelect(seq: number): void;
  onUnfold(seq: number): void;
}

/** The exchanges of the diagram as lines of text. */
export function Log({ layout, isLive, onSelect, onUnfold }: LogViewProps) {
  const lines = useMemo(() => layout.rows.flatMap(toLogLines), [layout]);
  const seq = selectedExchange.value;
  const current = seq === undefined ? -1 : lines.findIndex((line) => line.seq === seq);
  return (
    <VirtualList
      class="log"
      label="Log"
      items={lines}
      height={24}
      current={current}
      canFollow={isLive}
      render={(line, index) => (
        <div
          key={index}
          role="option"
          tabIndex={-1}
          aria-selected={line.seq === selectedExchange.value}
          class={`log-line ${line.tone} ${line.seq === hovered.value ? 'hovered' : ''}`}
          onClick={() => (line.isFold ? onUnfold(line.seq) : onSelect(line.seq))}
          onMouseEnter={() => {
            hovered.value = line.seq;
          }}
          onMouseLeave={() => {
            hovered.value = undefined;
          }}
        >
          <span class="time">{line.time}</span> {line.text}
          {line.outcome && <span class={line.outcome.tone}> ← {line.outcome.text}</span>}
        </div>
      )}
    />
  );
}
