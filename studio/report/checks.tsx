import type { Cause } from '../../conformance/causes/check-result.js';
import type { PageCheck } from '../../conformance/report/formats/html/report-page.js';
import { SIGNS } from '../../spec/signs.js';
import { toVisible } from '../../spec/visible.js';
import type { Exchange, Finding } from '../../spec/vocabulary.js';
import { CommandLines } from '../parts/command-lines.js';
import { CopyButton } from '../parts/copy-button.js';
import { ChoiceFilter, TextFilter } from '../parts/filter-fields.js';
import { formatCount } from '../parts/format.js';
import { Requirement } from '../parts/requirement.js';
import { VirtualList } from '../parts/virtual-list.js';
import {
  filterArea,
  filterCause,
  filterStatus,
  isListShown,
  isRaceShown,
  selectCheck,
  selectedCheck,
} from '../selection.js';
import { ConversationView } from '../sequence/conversation-view.js';
import { clearFilters, countMarks, MARKS } from './filters.js';

const ITEM_PX = 50;

interface CheckListProps {
  all: readonly PageCheck[];
  /** The checks that match the filters. */
  shown: readonly PageCheck[];
}

export function CheckList({ all, shown }: CheckListProps) {
  const counts = countMarks(all);
  const areas = [...new Set(all.map(({ suite }) => suite))];
  const current = shown.findIndex(({ id }) => id === selectedCheck.value);
  return (
    <nav class="checks" aria-label="Checks">
      <div class="filters">
        <TextFilter />
        <ChoiceFilter label="Status" chosen={filterStatus}>
          <option value="">any status ({all.length})</option>
          {MARKS.filter((mark) => counts[mark]).map((mark) => (
            <option key={mark} value={mark}>
              {SIGNS[mark]} {mark} ({counts[mark]})
            </option>
          ))}
        </ChoiceFilter>
        <ChoiceFilter label="Area" chosen={filterArea}>
          <option value="">all areas</option>
          {areas.map((area) => (
            <option key={area}>{area}</option>
          ))}
        </ChoiceFilter>
        <p class="soft shown" role="status">
          {shown.length === all.length
            ? formatCount(all.length, 'check')
            : `${shown.length} of ${formatCount(all.length, 'check')}`}
          {filterCause.value !== '' && ` of the cause ${toVisible(filterCause.value, 60)}`}
          {shown.length !== all.length && (
            <button type="button" class="small" onClick={clearFilters}>
              Show all
            </button>
          )}
        </p>
      </div>
      <VirtualList
        class="list"
        label="Checks"
        items={shown}
        height={ITEM_PX}
        current={current}
        render={(check) => <CheckItem key={check.id} check={check} />}
      />
      {shown.length === 0 && <p class="empty">No check fits the filters.</p>}
    </nav>
  );
}

function CheckItem({ check: { id, mark, title } }: { check: PageCheck }) {
  const isCurrent = id === selectedCheck.value;
  const select = () => {
    isListShown.value = false;
    selectCheck(id);
  };
  return (
    <div
      role="option"
      tabIndex={-1}
      aria-selected={isCurrent}
      class="check-item"
      title={`${toVisible(id, 300)}\n${toVisible(title, 300)}`}
      onClick={select}
    >
      <span class={`sign ${mark}`} title={mark}>
        {SIGNS[mark]}
      </span>
      <code>{toVisible(id, 160)}</code>
      <span class="soft">{toVisible(title, 160)}</span>
    </div>
  );
}

interface CheckViewProps {
  check: PageCheck;
  cause: Cause | undefined;
  exchanges: readonly Exchange[];
  findings: readonly Finding[];
}

/** One check: its result, the requirements, and the exchanges that show it. */
export function CheckView({ check, cause, exchanges, findings }: CheckViewProps) {
  const { id, mark, title, message, covers, known, again, view, race, timeline } = check;
  const isBad = mark === 'failed' || mark === 'error' || mark === 'known' || mark === 'flaky';
  return (
    <>
      <header class="check-head">
        <p class="line">
          <strong class={`sign ${mark}`}>
            {SIGNS[mark]} {mark}
          </strong>
          <span class="spacer" />
          <CopyButton label="Copy link" text={() => formatLink(id)} />
          <button type="button" class="small" onClick={() => selectCheck(undefined)}>
            ‹ Causes
          </button>
        </p>
        <h2>
          <code>{toVisible(id, 300)}</code>
        </h2>
        <p>{toVisible(title, 300)}</p>
        <div class={isBad ? 'finding-box' : 'message-box'}>
          <p class="message-text">{toVisible(message, 4000)}</p>
          {covers.map((each) => (
            <p key={each} class="soft">
              {each}: <Requirement id={each} />
            </p>
          ))}
        </div>
        {known !== undefined && <p class="soft">Known: {toVisible(known, 500)}</p>}
        {cause && cause.checks.length > 1 && (
          <p class="soft">
            Belongs to the cause “{toVisible(cause.title, 400)}” ({toVisible(cause.id, 100)}), which explains{' '}
            {formatCount(cause.explains, 'failure')}.
            {cause.example !== id && (
              <button type="button" class="small" onClick={() => selectCheck(cause.example)}>
                See its example
              </button>
            )}
          </p>
        )}
        {race && (
          <button
            type="button"
            class="primary"
            onClick={() => {
              isRaceShown.value = true;
            }}
          >
            Compare the run with one without the deviations
          </button>
        )}
        <CommandLines
          lines={[
            { label: 'See it again', line: again },
            { label: 'See it step by step', line: view },
          ]}
        />
        {timeline && (
          <details open={exchanges.length === 0}>
            <summary>Timeline of the run</summary>
            <pre tabIndex={0}>{toVisible(timeline.join('\n'), 20_000)}</pre>
          </details>
        )}
      </header>
      {exchanges.length > 0 ? (
        <ConversationView
          key={id}
          id={id}
          exchanges={exchanges}
          findings={findings}
          baseUrl={undefined}
          isMock={false}
        />
      ) : (
        !timeline && <p class="empty">This report has no exchanges of this check.</p>
      )}
    </>
  );
}

/** The address of this page with the check only. */
function formatLink(id: string): string {
  return `${location.href.replace(/#.*/, '')}#${new URLSearchParams({ check: id })}`;
}
