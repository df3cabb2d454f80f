import './report.css';
import { useEffect, useMemo } from 'preact/hooks';
import type { PageCheck, ReportPage } from '../../conformance/report/formats/html/report-page.js';
import { SIGNS } from '../../spec/signs.js';
import { toVisible } from '../../spec/visible.js';
import type { Finding } from '../../spec/vocabulary.js';
import { Inspector } from '../inspector/inspector.js';
import { useKeyboard } from '../keyboard.js';
import { RaceApp } from '../race/race-app.js';
import {
  isListShown,
  isRaceShown,
  refineSelection,
  selectCheck,
  selectedCheck,
  selectedExchange,
} from '../selection.js';
import { CheckList, CheckView } from './checks.js';
import { filterChecks } from './filters.js';
import { Overview } from './overview.js';

/** Minimum width for the inspector beside the check, px. */
const WIDE = 1100;
/** Not the number of an exchange: the inspector was closed. */
const CLOSED = 0;

/** A report, or the race of the selected check. */
export function ReportApp({ page }: { page: ReportPage }) {
  const race = page.checks.find(({ id }) => id === selectedCheck.value)?.race;
  return race && isRaceShown.value ? (
    <RaceApp
      race={race}
      onClose={() => {
        isRaceShown.value = false;
      }}
    />
  ) : (
    <ReportChecks page={page} />
  );
}

/** A report: causes first, all checks on the left, the exchanges of the selected check. */
function ReportChecks({ page }: { page: ReportPage }) {
  const { name, verdict, checks, causes } = page;
  const bySeq = useMemo(() => new Map(page.exchanges.map((each) => [each.seq, each])), [page]);
  const shown = filterChecks(checks, causes);
  const check = checks.find(({ id }) => id === selectedCheck.value);
  const exchanges = useMemo(
    () => check?.conversation?.flatMap((seq) => bySeq.get(seq) ?? []) ?? [],
    [check, bySeq],
  );
  const findings = useMemo(() => (check ? toFindings(check) : []), [check]);
  const exchange = exchanges.find(({ seq }) => seq === selectedExchange.value);
  // If there is room, the deciding exchange of a failure is selected at once.
  useEffect(() => {
    if (check?.mark === 'failed' && innerWidth > WIDE)
      refineSelection(() => {
        selectedExchange.value ??= check.evidence.at(-1);
      });
  }, [check]);
  useKeyboard({ exchanges, items: shown, selected: selectedCheck, onHelp: () => {} });
  useEffect(() => {
    document.title = check ? `${check.id} · ${page.title}` : page.title;
  }, [check, page]);
  const region = isListShown.value ? 'at-list' : exchange ? 'at-inspector' : 'at-conversation';
  return (
    <div class={`app report ${region}`}>
      <header class="bar">
        <strong class="brand wide-only">taskdouble</strong>
        <span class={`verdict ${verdict.mark}`}>
          {SIGNS[verdict.mark]} {verdict.words}
        </span>
        <span class="soft wide-only name">{toVisible(name, 200)}</span>
        <span class="spacer" />
        <button
          type="button"
          aria-pressed={!check && !isListShown.value}
          onClick={() => {
            isListShown.value = false;
            selectCheck(undefined);
          }}
        >
          {causes.length > 0 ? `Causes (${causes.length})` : 'Summary'}
        </button>
        <button
          type="button"
          class="narrow-only"
          aria-pressed={isListShown.value}
          onClick={() => {
            isListShown.value = !isListShown.value;
          }}
        >
          Checks
        </button>
      </header>
      <CheckList all={checks} shown={shown} />
      <main>
        {check ? (
          <CheckView
            check={check}
            cause={causes.find((cause) => cause.checks.includes(check.id))}
            exchanges={exchanges}
            findings={findings}
          />
        ) : (
          <Overview page={page} />
        )}
      </main>
      {exchange && (
        <Inspector
          key={exchange.seq}
          exchange={exchange}
          findings={findings.filter(({ evidence }) => evidence.includes(exchange.seq))}
          baseUrl={undefined}
          origin={page.baseUrl?.replace(/\/+$/, '')}
          onClose={() => {
            selectedExchange.value = CLOSED;
          }}
        />
      )}
    </div>
  );
}

/** The failure as a finding about the exchanges that show it, for the diagram and the inspector. */
function toFindings({ mark, id, rule, covers, side, message, evidence }: PageCheck): Finding[] {
  if (mark !== 'failed' && mark !== 'known' && mark !== 'flaky') return [];
  const requirement = covers[0] ?? '';
  return [{ rule: rule ?? (requirement || id), requirement, side, level: 'must', message, evidence }];
}
