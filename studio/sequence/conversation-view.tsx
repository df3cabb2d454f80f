import { signal, useSignalEffect } from '@preact/signals';
import { useEffect, useLayoutEffect, useMemo, useState } from 'preact/hooks';
import { CompareButton } from '../conversations/compare-button.js';
import { type DisplayedConversation, ExportMenu } from '../export/export-menu.js';
import { isFollowing } from '../live/live-state.js';
import { Log } from '../log/log.js';
import { formatCount, formatTimeOfDay } from '../parts/format.js';
import { useViewport } from '../parts/virtual-list.js';
import { hovered, selectedExchange } from '../selection.js';
import { computeLanes, Diagram } from './diagram.js';
import { layOut } from './layout.js';
import { OnlyActionsButton, onlyActions } from './only-actions.js';
import { HEAD_PX } from './rows.js';
import { TimeStrip } from './time-strip.js';
import { ZoomButtons, zoom } from './zoom.js';

const VIEWS = { diagram: 'Diagram', log: 'Log', both: 'Both' } as const;
/** Kept for the next conversation. */
const chosenView = signal<keyof typeof VIEWS>('diagram');

/** A conversation as a diagram or as a log, with a common selection. */
export function ConversationView(conversation: DisplayedConversation) {
  const { id, exchanges, findings } = conversation;
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
    const next = new Set(unfolded);
    if (!next.delete(seq)) next.add(seq);
    setUnfolded(next);
  };
  const selectExchange = (seq: number) => {
    selectedExchange.value = seq;
  };
  const { scroller, view } = useViewport();
  const lanes = computeLanes(view.width, zoom.value);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element && isFollowing.value && selectedExchange.value === undefined)
      element.scrollTop = element.scrollHeight;
  }, [layout, scroller]);
  // Scrolls to the exchange that was selected by the keyboard or in the log.
  useSignalEffect(() => {
    const seq = selectedExchange.value;
    const row = seq === undefined ? undefined : layout.bySeq.get(seq);
    // It may be in a closed fold.
    const fold =
      row ?? layout.rows.find((each) => each.kind === 'fold' && each.rows.some((inner) => inner.seq === seq));
    if (fold?.kind === 'fold' && seq !== undefined) toggleFold(fold.rows[0]!.seq);
    const element = scroller.current;
    if (!row || !element) return;
    const top = row.y * zoom.value + HEAD_PX;
    const height = row.height * zoom.value;
    if (top - HEAD_PX < element.scrollTop) element.scrollTop = top - HEAD_PX;
    else if (top + height > element.scrollTop + element.clientHeight)
      element.scrollTop = top + height - element.clientHeight + 8;
  });
  return (
    <section class="conversation" aria-label="Conversation">
      <div class="tabs">
        <span class="tab-list" role="tablist">
          {(Object.keys(VIEWS) as (keyof typeof VIEWS)[]).map((name) => (
            <button
              key={name}
              type="button"
              role="tab"
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
          onMove={(row) => scroller.current?.scrollTo({ top: row.y * lanes.zoom })}
        />
      )}
      <div
        class="scroller"
        ref={scroller}
        hidden={tab === 'log'}
        tabIndex={0}
        role="region"
        aria-label="Diagram"
      >
        <div class="lane-heads">
          {exchanges[0] && (
            <time title={`+0: when the clock of ${exchanges[0].organisation} showed this, UTC`}>
              {formatTimeOfDay(exchanges[0].request.at).slice(0, 8)}
            </time>
          )}
          <span style={{ left: `${lanes.client * lanes.zoom}px` }}>client</span>
          <span style={{ left: `${lanes.network * lanes.zoom}px` }}>network</span>
          <span style={{ left: `${lanes.service * lanes.zoom}px` }}>service</span>
        </div>
        <Diagram
          layout={layout}
          lanes={lanes}
          top={view.top / lanes.zoom}
          bottom={(view.top + view.height) / lanes.zoom}
          selected={selectedExchange.value}
          hovered={hovered}
          onSelect={selectExchange}
          onUnfold={toggleFold}
        />
      </div>
      {tab !== 'diagram' && <Log layout={layout} onUnfold={toggleFold} onSelect={selectExchange} />}
    </section>
  );
}
