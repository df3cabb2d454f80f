import type { PageCheck } from '../../conformance/report/formats/html/report-page.js';
import { SIGNS } from '../../spec/signs.js';
import { toVisible } from '../../spec/visible.js';
import { ChoiceFilter, TextFilter } from '../parts/filter-fields.js';
import { formatCount } from '../parts/format.js';
import { VirtualList } from '../parts/virtual-list.js';
import {
  filterArea,
  filterCause,
  filterStatus,
  isListShown,
  selectCheck,
  selectedCheck,
} from '../selection.js';
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
