import { signal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { CompareButton } from '../conversations/compare-button.js';
import { type DisplayedConversation, ExportMenu } from '../export/export-menu.js';
import { isFollowing } from '../live/live-state.js';
import { Log } from '../log/log.js';
import { isAtEnd, useFollowing } from '../parts/following.js';
import { formatCount, formatTimeOfDay } from '../parts/format.js';
import { useViewport } from '../parts/virtual-list.js';
import { hovered, selectedExchange } from '../selection.js';
import { computeLanes, Diagram, LANES } from './diagram.js';
import { layOut } from './layout.js';
import { OnlyActionsButton, onlyActions } from './only-actions.js';
import { HEAD_PX } from './rows.js';
import { TimeStrip } from './time-strip.js';
import { ZoomButtons, zoom } from './zoom.js';

const VIEWS = { diagram: 'Diagram', log: 'Log', both: 'Both' } as const;
/** Half the width of the widest name of a lane, and a margin, px. */
const HALF_HEAD_PX = 42;
/** Kept for the next conversation. */
const chosenView = signal<keyof typeof VIEWS>('diagram');

interface ConversationViewProps extends DisplayedConversation {
  /** The task is waiting or running. */
  isRunning?: boolean;
}

/** A conversation as a diagram or as a log, with a common selection. */
export function ConversationView({ isRunning = false, ...conversation }: ConversationViewProps) {
  const { id, exchanges, findings, baseUrl } = conversation;
  const isLive = baseUrl !== undefined;
  const tab = chosenView.value;
  const [unfolded, setUnfolded] = useState<ReadonlySet<number>>(new Set());
  // Folds belong to one conversation.
  useEffect(() => setUnfolded(new Set()), [id]);
  const isShort = onlyActions.value;
  const layout = useMemo(
    () => layOut(exchanges, findings, unfolded, { onlyActions: isShort }),
    [exchanges, findings, unfolded, isShort],
  );
  const toggleFold = (seq: number) => {
    // The reader looks at the fold, not at the end.
    isFollowing.value = false;
    const next = new Set(unfolded);
    if (!next.delete(seq)) next.add(seq);
    setUnfolded(next);
  };
  const selectExchange = (seq: number) => {
    selectedExchange.value = seq;
  };
  const { scroller, view } = useViewport();
  const lanes = computeLanes(view.width, zoom.value);
  const { scrollTo, keepAtEnd, restorePosition } = useFollowing(scroller, isLive);
  useLayoutEffect(keepAtEnd, [layout, view.height, zoom.value, isFollowing.value]);
  useLayoutEffect(() => {
    if (tab !== 'log' && !isFollowing.peek()) restorePosition();
  }, [tab]);
  const fresh = useNewCount(exchanges.length, isRunning, scroller);
  const revealRow = (seq: number): boolean => {
    const row = layout.bySeq.get(seq);
    const element = scroller.current;
    if (!row || !element) return false;
    const top = row.y * zoom.value + HEAD_PX;
    const height = row.height * zoom.value;
    if (top - HEAD_PX < element.scrollTop) scrollTo(top - HEAD_PX);
    else if (top + height > element.scrollTop + element.clientHeight)
      scrollTo(top + height - element.clientHeight + 8);
    return true;
  };
  // The selected exchange may not be loaded yet, or be in a closed fold.
  const hidden = useRef<number | undefined>(undefined);
  const selected = selectedExchange.value;
  const isMissing = useMemo(
    () => exchanges.length > 0 && selected !== undefined && !exchanges.some(({ seq }) => seq === selected),
    [exchanges, selected],
  );
  useLayoutEffect(() => {
    hidden.current = selected;
    if (selected !== undefined) isFollowing.value = false;
  }, [selected, zoom.value]);
  useLayoutEffect(() => {
    const seq = hidden.current;
    if (seq === undefined) return;
    if (revealRow(seq)) {
      hidden.current = undefined;
      return;
    }
    const fold = layout.rows.find(
      (each) => each.kind === 'fold' && each.rows.some((inner) => inner.seq === seq),
    );
    if (fold?.kind === 'fold') toggleFold(fold.rows[0]!.seq);
  }, [selected, zoom.value, layout]);
  return (
    <section class="conversation" aria-label="Conversation">
      <div class="tabs">
        <span class="tab-list" role="tablist">
          {(Object.keys(VIEWS) as (keyof typeof VIEWS)[]).map((name) => (
            <button
              key={name}
              type="button"
              role="tab"
              class={name === 'both' ? 'wide-only' : undefined}
              aria-selected={tab === name}
              onClick={() => {
                chosenView.value = name;
              }}
            >
              {VIEWS[name]}
            </button>
          ))}
        </span>
        <span class="soft exchange-count">{formatCount(exchanges.length, 'exchange')}</span>
        {isMissing && (
          <span class="warn" role="status">
            #{selected} is not in this conversation
          </span>
        )}
        <span class="spacer" />
        {tab !== 'log' && <OnlyActionsButton />}
        {tab !== 'log' && <ZoomButtons />}
        <CompareButton id={id} />
        <ExportMenu {...conversation} />
      </div>
      {tab !== 'log' && (
        <TimeStrip
          layout={layout}
          lanes={lanes}
          width={view.width}
          top={view.top / lanes.zoom}
          bottom={(view.top + view.height - HEAD_PX) / lanes.zoom}
          onMove={(row) => {
            isFollowing.value = false;
            scroller.current?.scrollTo({ top: row.y * lanes.zoom });
          }}
        />
      )}
      <div class="stage" hidden={tab === 'log'}>
        <div class="scroller" ref={scroller} tabIndex={0} role="region" aria-label="Diagram">
          <div class="lane-heads">
            {exchanges[0] && lanes.zoom >= 0.75 && (
              <time title={`+0: when the clock of ${exchanges[0].organisation} showed this, UTC`}>
                {formatTimeOfDay(exchanges[0].request.at).slice(0, 8)}
              </time>
            )}
            {LANES.map((name) => (
              <span
                key={name}
                style={{ left: `min(${lanes[name] * lanes.zoom}px, 100% - ${HALF_HEAD_PX}px)` }}
              >
                {name}
              </span>
            ))}
          </div>
          <Diagram
            layout={layout}
            lanes={lanes}
            top={view.top / lanes.zoom}
            bottom={(view.top + view.height) / lanes.zoom}
            selected={selected}
            hovered={hovered}
            onSelect={selectExchange}
            onUnfold={toggleFold}
          />
        </div>
        {isLive && fresh > 0 && !isFollowing.value && (
          <button
            type="button"
            class="pill"
            onClick={() => {
              isFollowing.value = true;
            }}
          >
            ↓ {fresh} new
          </button>
        )}
      </div>
      {tab !== 'diagram' && (
        <Log layout={layout} isLive={isLive} onUnfold={toggleFold} onSelect={selectExchange} />
      )}
    </section>
  );
}

/** Exchanges that arrived below the visible part. Those of a task that was over from the start are none. */
function useNewCount(count: number, isRunning: boolean, scroller: RefObject<HTMLElement | null>): number {
  const hasRun = useRef(false);
  hasRun.current ||= isRunning;
  const seen = useRef(0);
  const [fresh, setFresh] = useState(0);
  useLayoutEffect(() => {
    const element = scroller.current;
    const isSeen = isFollowing.peek() || element === null || isAtEnd(element);
    if (!hasRun.current || isSeen || seen.current === 0) seen.current = count;
    setFresh(count - seen.current);
  }, [count, isFollowing.value]);
  return fresh;
}
