import type { RefObject } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Race } from '../../conformance/explore/reproduce/race.js';
import type { Level } from '../../spec/requirement-types.js';
import { toVisible } from '../../spec/visible.js';
import { Inspector } from '../inspector/inspector.js';
import type { RaceScenarioPage } from '../page-data.js';
import { CommandLines } from '../parts/command-lines.js';
import { groupByLevel, type LevelFindings } from '../parts/group-by-level.js';
import { Requirement } from '../parts/requirement.js';
import { ScenarioDiagram } from '../sequence/scenario-diagram.js';
import { ZoomButtons, zoomByKey } from '../sequence/zoom.js';
import { type PairedRuns, pairRuns, type RunSide } from './pair-runs.js';
import { Runs } from './runs.js';
import { listStops, type RaceStop } from './stops.js';
import './race.css';

/** An exchange of one run. `seq` starts at 1 in each run. */
interface ChosenExchange {
  side: RunSide;
  seq: number;
}

const NONE: ReadonlySet<number> = new Set();
const NAMES = { good: 'Without deviations', bad: 'With deviations' } as const;

/** A failure that `explore` has found: the failing run beside a run without the deviations. */
export function RaceApp({ race, onClose }: { race: Race; onClose?: () => void }) {
  const [unfolded, setUnfolded] = useState<Record<RunSide, ReadonlySet<number>>>({ good: NONE, bad: NONE });
  const paired = useMemo(() => pairRuns(race, unfolded), [race, unfolded]);
  const stops = useMemo(() => listStops(race, paired), [race, paired]);
  // Index of a pair; after the last pair comes the end of the runs.
  const [at, setAt] = useState(stops[0]!.at);
  const [stop, setStop] = useState(0);
  const [chosen, setChosen] = useState<ChosenExchange | undefined>(undefined);
  const [shownSide, setShownSide] = useState<RunSide>('bad');
  const story = useRef<HTMLElement>(null);
  const goTo = (place: number, index = stops.findLastIndex((each) => each.at <= place)) => {
    setAt(place);
    setStop(Math.max(0, index));
  };
  const goToStop = (by: number) => {
    // After a stop, "back" leads to this stop.
    const isBehind = by < 0 && at !== stops[stop]!.at;
    const next = Math.min(Math.max(isBehind ? stop : stop + by, 0), stops.length - 1);
    goTo(stops[next]!.at, next);
    // On a phone it may be out of sight.
    story.current?.scrollIntoView({ block: 'start' });
  };
  const goToRow = (by: number) => goTo(Math.min(Math.max(at + by, 0), paired.pairs.length));
  const inspect = () => {
    const found =
      findExchange(paired, at, shownSide) ?? findExchange(paired, at, shownSide === 'bad' ? 'good' : 'bad');
    if (found) setChosen(found);
  };
  // A layout effect: each key uses the position that the previous key set.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement;
      if (event.ctrlKey || event.metaKey || event.altKey || target.closest('pre, summary')) return;
      const act = {
        ArrowRight: () => goToStop(1),
        ArrowLeft: () => goToStop(-1),
        ArrowDown: () => goToRow(1),
        ArrowUp: () => goToRow(-1),
        // A focused button handles Enter.
        Enter: target.closest('button') ? undefined : inspect,
        Escape: () => (chosen ? setChosen(undefined) : onClose?.()),
      }[event.key];
      if (!act) {
        zoomByKey(event.key);
        return;
      }
      event.preventDefault();
      act();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  });
  const run = chosen && race[chosen.side];
  const exchange = run?.exchanges.find(({ seq }) => seq === chosen?.seq);
  return (
    <div class="app race">
      <header class="bar">
        {onClose && (
          <button type="button" onClick={onClose}>
            ‹ Report
          </button>
        )}
        <strong class="brand">taskdouble</strong> <span class="soft">{toVisible(race.name, 100)}</span>
        <span class="spacer" />
        <ZoomButtons />
        <span class="stepper">
          <button type="button" disabled={stop === 0 && at <= stops[0]!.at} onClick={() => goToStop(-1)}>
            ← Previous
          </button>
          <span role="status">
            {stop + 1} of {stops.length}
          </span>
          <button type="button" disabled={stop === stops.length - 1} onClick={() => goToStop(1)}>
            Next →
          </button>
          <button
            type="button"
            aria-label="Previous exchange"
            disabled={at === 0}
            onClick={() => goToRow(-1)}
          >
            ↑
          </button>
          <button
            type="button"
            aria-label="Next exchange"
            disabled={at >= paired.pairs.length}
            onClick={() => goToRow(1)}
          >
            ↓
          </button>
        </span>
      </header>
      <RaceHead race={race} />
      <Story
        element={story}
        stops={stops}
        level={race.finding.level}
        current={stop}
        hasGood={race.good !== undefined}
        onSelect={(index) => goTo(stops[index]!.at, index)}
      />
      <main>
        <Runs
          race={race}
          names={NAMES}
          paired={paired}
          at={at}
          chosen={chosen}
          shownSide={shownSide}
          onShow={setShownSide}
          onSelect={(side, seq) => {
            setChosen({ side, seq });
            goTo(findPairIndex(paired, side, seq));
          }}
          onUnfold={(side, seq) => {
            const next = new Set(unfolded[side]);
            if (!next.delete(seq)) next.add(seq);
            setUnfolded({ ...unfolded, [side]: next });
          }}
        />
      </main>
      {run && exchange && (
        <Inspector
          exchange={exchange}
          findings={run.findings.filter(({ evidence }) => evidence.includes(exchange.seq))}
          baseUrl={undefined}
          onClose={() => setChosen(undefined)}
        />
      )}
    </div>
  );
}

function findExchange({ pairs }: PairedRuns, at: number, side: RunSide): ChosenExchange | undefined {
  const row = pairs[at]?.[side]?.row;
  return row?.kind === 'exchange' ? { side, seq: row.seq } : undefined;
}

function findPairIndex({ pairs }: PairedRuns, side: RunSide, seq: number): number {
  return pairs.findIndex((pair) => {
    const row = pair[side]?.row;
    return row?.kind === 'exchange' && row.seq === seq;
  });
}

interface StoryProps {
  stops: readonly RaceStop[];
  level: Level;
  current: number;
  hasGood: boolean;
  onSelect: (index: number) => void;
  element: RefObject<HTMLElement | null>;
}

/** The failure in a few steps; each is a place in the diagram. */
function Story({ stops, level, current, hasGood, onSelect, element }: StoryProps) {
  return (
    <nav ref={element} class={`story ${level}`} aria-label="What happens">
      <ol>
        {stops.map(({ tone, title, bad, good }, index) => (
          <li key={index}>
            <button
              type="button"
              class={tone}
              aria-current={index === current ? 'step' : undefined}
              onClick={() => onSelect(index)}
            >
              <strong>{toVisible(title, 300)}</strong>
              {hasGood && good !== undefined && (
                <span>
                  <em>without:</em> {toVisible(good, 300)}
                </span>
              )}
              {bad !== undefined && (
                <span>
                  {hasGood && <em>with:</em>} {toVisible(bad, 300)}
                </span>
              )}
            </button>
          </li>
        ))}
      </ol>
      <p class="soft wide-only">
        <kbd>←</kbd> <kbd>→</kbd> from step to step, <kbd>↑</kbd> <kbd>↓</kbd> from exchange to exchange,{' '}
        <kbd>Enter</kbd> shows it
      </p>
    </nav>
  );
}

/** The finding, its requirement, and the command that reproduces it. */
function RaceHead({ race }: { race: Race }) {
  const { title, finding, scenario, deviations } = race;
  const [{ tone }] = groupByLevel([finding]) as [LevelFindings];
  const changes = deviations.map(({ text }) => toVisible(text, 200)).join('; ');
  return (
    <section class="race-head" aria-label="Finding">
      <div class={`finding-box ${tone}`}>
        <h1>{toVisible(title)}</h1>
        <p>{toVisible(finding.message)}</p>
        <p class="soft">
          {finding.level === 'must' ? 'Broken' : 'Advice'}: {finding.requirement}{' '}
          <Requirement id={finding.requirement} />
        </p>
      </div>
      <p class="soft">
        Scenario “{toVisible(scenario, 120)}”,{' '}
        {changes === '' ? 'without any deviation' : `changed by: ${changes}`}. Seed {race.seed}, time{' '}
        {race.time}.
      </p>
      <CommandLines lines={[{ label: 'See it again', line: race.again }]} />
    </section>
  );
}

/** Maximum width of the diagram, px. */
const WIDEST = 760;

/** A race file without runs: its scenario, and the command that writes the runs. */
export function RaceScenarioApp({ page }: { page: RaceScenarioPage }) {
  const { title, defect, scenario, failure, deviations, lines, again } = page;
  return (
    <div class="app race scenario">
      <header class="bar">
        <strong class="brand">taskdouble</strong> <span class="soft">{toVisible(title, 200)}</span>
      </header>
      <section class="race-head" aria-label="Finding">
        <div class="message-box">
          <h1>{toVisible(defect)}</h1>
          <p>
            Scenario “{toVisible(scenario, 200)}”: <code>{toVisible(failure, 200)}</code>
            {deviations.length > 0 && ', with these deviations:'}
          </p>
          {deviations.length > 0 && (
            <ol>
              {deviations.map((text, index) => (
                <li key={index}>{toVisible(text, 300)}</li>
              ))}
            </ol>
          )}
        </div>
        <p>
          This file has no runs beside it: the diagram below shows the scenario, not the requests of a client.
          The command runs the scenario with and without the deviations and writes both runs; then view the
          file again.
        </p>
        <CommandLines lines={[{ label: 'See it again', line: again }]} />
      </section>
      <main aria-label="Scenario">
        <ScenarioDiagram lines={lines} width={Math.min(WIDEST, innerWidth)} />
      </main>
    </div>
  );
}
