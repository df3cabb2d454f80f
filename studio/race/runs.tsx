import { useSignal } from '@preact/signals';
import { useLayoutEffect } from 'preact/hooks';
import type { Race } from '../../conformance/explore/reproduce/race.js';
import { toVisible } from '../../spec/visible.js';
import { formatOffset } from '../parts/format.js';
import { useViewport } from '../parts/virtual-list.js';
import { computeLanes, Diagram } from '../sequence/diagram.js';
import { HEAD_PX } from '../sequence/rows.js';
import { zoom } from '../sequence/zoom.js';
import type { PairedRuns, RowPair, RunSide } from './pair-runs.js';
import { readStart } from './run-rows.js';

/** Minimum width for both runs, px. */
const LEAST_FOR_BOTH = 700;

interface RunsProps {
  race: Pick<Race, 'bad' | 'good'>;
  names: Readonly<Record<RunSide, string>>;
  paired: PairedRuns;
  at: number;
  chosen: { side: RunSide; seq: number } | undefined;
  /** The run that is shown if there is room for one only. */
  shownSide: RunSide;
  onShow: (side: RunSide) => void;
  onSelect: (side: RunSide, seq: number) => void;
  onUnfold: (side: RunSide, seq: number) => void;
}

/** Both runs as diagrams side by side, in one element that scrolls. */
export function Runs({ race, names, paired, at, shownSide, onShow, ...rest }: RunsProps) {
  const { scroller, view } = useViewport();
  const both: RunSide[] = race.good ? ['good', 'bad'] : ['bad'];
  const isNarrow = both.length === 2 && view.width < LEAST_FOR_BOTH;
  const sides = isNarrow ? [shownSide] : both;
  const { pairs, height } = paired;
  const current = pairs[at];
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const top = (current?.y ?? height) * zoom.value;
    const bottom = top + (current ? current.height * zoom.value : END_PX) + HEAD_PX;
    // Keeps a margin before and after it.
    if (top - MARGIN_PX < element.scrollTop) element.scrollTop = top - MARGIN_PX;
    else if (bottom + MARGIN_PX > element.scrollTop + element.clientHeight)
      element.scrollTop = bottom + MARGIN_PX - element.clientHeight;
  }, [at, current, height, scroller]);
  return (
    <div class="runs-view" role="group" aria-label="Runs">
      {isNarrow && (
        <div class="tabs" role="tablist">
          {both.map((side) => (
            <button
              key={side}
              type="button"
              role="tab"
              aria-selected={side === shownSide}
              onClick={() => onShow(side)}
            >
              {names[side]}
            </button>
          ))}
        </div>
      )}
      <div class="scroller" ref={scroller} tabIndex={0} role="region" aria-label="Diagrams">
        <div class="runs">
          {sides.map((side) => (
            <Run
              key={side}
              side={side}
              race={race}
              name={names[side]}
              paired={paired}
              at={at}
              width={Math.floor(view.width / sides.length)}
              top={view.top / zoom.value}
              bottom={(view.top + view.height) / zoom.value}
              {...rest}
            />
          ))}
        </div>
      </div>
    </div>
  );
}

const MARGIN_PX = 60;
const END_PX = 80;

interface RunProps extends Pick<RunsProps, 'race' | 'paired' | 'at' | 'chosen' | 'onSelect' | 'onUnfold'> {
  side: RunSide;
  name: string;
  width: number;
  top: number;
  bottom: number;
}

function Run({ side, name, race, paired, at, chosen, width, top, bottom, onSelect, onUnfold }: RunProps) {
  const hovered = useSignal<number | undefined>(undefined);
  const { pairs, differsAt } = paired;
  const run = race[side]!;
  const layout = paired.layouts[side]!;
  const lanes = computeLanes(width, zoom.value);
  const shown = pairs
    .map((pair, index) => [pair, index] as const)
    .filter(([{ y, height }]) => y + height >= top - HEAD_PX && y <= bottom);
  return (
    <section class={`run ${side}`} aria-label={name} style={{ width: `${lanes.width * lanes.zoom}px` }}>
      <div class="lane-heads">
        {race.good && <strong class="side">{name}</strong>}
        <span style={{ left: `${lanes.client * lanes.zoom}px` }}>client</span>
        <span style={{ left: `${lanes.service * lanes.zoom}px` }}>service</span>
      </div>
      <div class="rows">
        {shown.map(([pair, index]) => (
          <Band key={index} pair={pair} side={side} isParting={index === differsAt} />
        ))}
        <Diagram
          layout={layout}
          lanes={lanes}
          top={top}
          bottom={bottom}
          selected={chosen?.side === side ? chosen.seq : undefined}
          hovered={hovered}
          onSelect={(seq) => onSelect(side, seq)}
          onUnfold={(seq) => onUnfold(side, seq)}
        />
        {shown.map(([pair, index]) => (
          <Mark key={index} pair={pair} numbers={pair.deviations[side]} isCurrent={index === at} />
        ))}
      </div>
      <p class={`end ${run.end.isHang ? 'hang' : ''} ${at === pairs.length ? 'current' : ''}`}>
        <span class="soft">{formatOffset(run.end.at - readStart(run))}</span> {toVisible(run.end.text)}
      </p>
    </section>
  );
}

const formatPlace = ({ y, height }: RowPair) => ({
  top: `${y * zoom.value}px`,
  height: `${height * zoom.value}px`,
});

interface BandProps {
  pair: RowPair;
  side: RunSide;
  /** The first pair that differs. */
  isParting: boolean;
}

/** The background of a row: changed by a deviation, different, or missing. */
function Band({ pair, side, isParting }: BandProps) {
  const isMissing = pair[side] === undefined;
  const states = [
    isMissing && 'missing',
    !pair.isSame && !isMissing && 'other',
    pair.deviations[side].length > 0 && 'deviation',
    isParting && 'parting',
  ].filter(Boolean);
  return states.length === 0 ? null : <div class={`band ${states.join(' ')}`} style={formatPlace(pair)} />;
}

interface MarkProps {
  pair: RowPair;
  numbers: readonly number[];
  isCurrent: boolean;
}

/** The overlay of a row: the numbers of deviations, and a frame around the current row. */
function Mark({ pair, numbers, isCurrent }: MarkProps) {
  if (numbers.length === 0 && !isCurrent) return null;
  return (
    <div class={`mark ${isCurrent ? 'current' : ''}`} style={formatPlace(pair)}>
      {numbers.map((number) => (
        <span key={number} title={`deviation ${number}`}>
          {number}
        </span>
      ))}
    </div>
  );
}
