import { useMemo, useState } from 'preact/hooks';
import { toVisible } from '../../../spec/visible.js';
import type { Exchange, Finding } from '../../../spec/vocabulary.js';
import { compareTasks, endComparison } from '../../conversations/compare-choice.js';
import { Inspector } from '../../inspector/inspector.js';
import { formatCount } from '../../parts/format.js';
import { groupByLevel } from '../../parts/group-by-level.js';
import { ZoomButtons } from '../../sequence/zoom.js';
import { type PairedRuns, pairRuns, type RunSide } from '../pair-runs.js';
import { Runs } from '../runs.js';
import { toRun } from './to-run.js';
import '../race.css';
import './comparison.css';

export interface ComparedConversation {
  id: string;
  title: string;
  /** Status, key, scenario. */
  about: string;
  exchanges: readonly Exchange[];
  findings: readonly Finding[];
}

const NONE: ReadonlySet<number> = new Set();

interface ComparisonProps {
  one: ComparedConversation;
  other: ComparedConversation;
  baseUrl: string | undefined;
}

/** Two conversations side by side: the same requests in one line, and what differs is marked. */
export function Comparison({ one, other, baseUrl }: ComparisonProps) {
  const [unfolded, setUnfolded] = useState<Record<RunSide, ReadonlySet<number>>>({ good: NONE, bad: NONE });
  const [shownSide, setShownSide] = useState<RunSide>('good');
  const [chosen, setChosen] = useState<{ side: RunSide; seq: number } | undefined>(undefined);
  const good = useMemo(() => toRun(one.exchanges, one.findings), [one.exchanges, one.findings]);
  const bad = useMemo(() => toRun(other.exchanges, other.findings), [other.exchanges, other.findings]);
  const race = useMemo(() => ({ good, bad, deviations: [] }), [good, bad]);
  const paired = useMemo(() => pairRuns(race, unfolded), [race, unfolded]);
  const stops = useMemo(() => listDifferences(paired), [paired]);
  const [place, setPlace] = useState<number | undefined>(undefined);
  const stop = Math.min(place ?? 0, Math.max(0, stops.length - 1));
  const exchange = chosen && race[chosen.side].exchanges.find(({ seq }) => seq === chosen.seq);
  const sides = { good: one, bad: other };
  return (
    <main class="comparison" aria-label="Comparison">
      <div class="tabs">
        <strong>Comparison</strong>
        <span role="status" class="soft">
          {stops.length === 0 ? 'no difference' : formatCount(stops.length, 'difference')}
        </span>
        <span class="spacer" />
        {stops.length > 0 && (
          <span class="stepper">
            <button type="button" class="small" disabled={stop === 0} onClick={() => setPlace(stop - 1)}>
              ← Previous
            </button>
            <span>
              {stop + 1} of {stops.length}
            </span>
            <button
              type="button"
              class="small"
              disabled={stop === stops.length - 1}
              onClick={() => setPlace(stop + 1)}
            >
              Next →
            </button>
          </span>
        )}
        <ZoomButtons />
        <button type="button" class="small" onClick={() => compareTasks(other.id, one.id)}>
          Swap
        </button>
        <button type="button" class="small" onClick={endComparison}>
          End comparison
        </button>
      </div>
      <div class="compared">
        {[one, other].map((each) => (
          <ComparedHead key={each.id} {...each} />
        ))}
      </div>
      <div class={`compared-runs chosen-${chosen?.side ?? 'none'}`}>
        <Runs
          race={race}
          names={{ good: 'Left', bad: 'Right' }}
          paired={paired}
          at={stops[stop] ?? 0}
          chosen={chosen}
          shownSide={shownSide}
          onShow={setShownSide}
          onSelect={(side, seq) => setChosen({ side, seq })}
          onUnfold={(side, seq) => {
            const next = new Set(unfolded[side]);
            if (!next.delete(seq)) next.add(seq);
            setUnfolded({ ...unfolded, [side]: next });
          }}
        />
        {chosen && exchange && (
          <Inspector
            key={`${chosen.side} ${chosen.seq}`}
            exchange={exchange}
            findings={sides[chosen.side].findings.filter(({ evidence }) => evidence.includes(chosen.seq))}
            baseUrl={baseUrl}
            onClose={() => setChosen(undefined)}
          />
        )}
      </div>
    </main>
  );
}

function ComparedHead({ title, about, exchanges, findings }: ComparedConversation) {
  return (
    <div>
      <bdi>
        <strong>{toVisible(title, 160) || '(no text)'}</strong>
      </bdi>
      <p class="soft">
        {toVisible(about, 160)} · {formatCount(exchanges.length, 'exchange')}
      </p>
      {groupByLevel(findings).flatMap(({ sign, tone, findings: its }) =>
        its.map(({ rule, message }, index) => (
          <span key={`${tone} ${index}`} class={`badge ${tone}`} title={toVisible(message, 500)}>
            {sign} {rule}
          </span>
        )),
      )}
    </div>
  );
}

/** The first pair of each group of pairs that differ. */
function listDifferences({ pairs }: PairedRuns): number[] {
  return pairs.flatMap(({ isSame }, index) => (!isSame && pairs[index - 1]?.isSame !== false ? [index] : []));
}
