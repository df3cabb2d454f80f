import { batch } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { TaskSummary } from '../../mock/control/views.js';
import type { Finding } from '../../spec/vocabulary.js';
import { ChoiceFilter, TextFilter } from '../parts/filter-fields.js';
import { VirtualList } from '../parts/virtual-list.js';
import {
  filterGroup,
  filterStatus,
  filterText,
  onlyFindings,
  selectedTask,
  selectTask,
} from '../selection.js';
import { canCompare, choosingFor } from './compare-choice.js';
import { countTotals, GROUPINGS, type ListRow } from './list-rows.js';
import { OTHERS } from './other-requests.js';
import { GroupItem, TaskItem } from './task-item.js';
import { formatTotals } from './totals.js';
import './conversations.css';

const STATUSES = ['waiting', 'running', 'done', 'failed', 'cancelled'];
const TASK_PX = 58;
const GROUP_PX = 30;
const measureRow = ({ kind }: ListRow) => (kind === 'group' ? GROUP_PX : TASK_PX);

interface ConversationListProps {
  /** All tasks, and the rows that match the filters. */
  all: readonly TaskSummary[];
  rows: readonly ListRow[];
  /** Findings by task id. */
  found: ReadonlyMap<string, readonly Finding[]>;
  /** Number of requests without a task. */
  others: number;
  /** Label of a task without a scenario; undefined if the scenarios are unknown. */
  withoutScenario?: string | undefined;
}

export function ConversationList({ all, rows, found, others, withoutScenario }: ConversationListProps) {
  const current = rows.findIndex((row) => row.kind === 'task' && row.task.id === selectedTask.value);
  useEffect(() => {
    canCompare.value = all.length > 1;
  }, [all.length > 1]);
  const hasSeveral = all.some(({ organisation }) => organisation !== all[0]!.organisation);
  const isFiltered = filterText.value !== '' || filterStatus.value !== '' || onlyFindings.value;
  const count = rows.reduce(
    (sum, row) => sum + (row.kind === 'task' ? 1 : row.isOpen ? 0 : row.totals.tasks),
    0,
  );
  return (
    <nav class="conversations" aria-label="Conversations">
      <div class="filters">
        <TextFilter />
        <ChoiceFilter label="Status" chosen={filterStatus}>
          <option value="">any status</option>
          {STATUSES.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </ChoiceFilter>
        <ChoiceFilter label="Group by" chosen={filterGroup}>
          <option value="">no groups</option>
          {GROUPINGS.map((each) => (
            <option key={each} value={each}>
              by {each}
            </option>
          ))}
        </ChoiceFilter>
        <label class="check">
          <input
            type="checkbox"
            checked={onlyFindings.value}
            onChange={({ currentTarget }) => {
              onlyFindings.value = currentTarget.checked;
            }}
          />{' '}
          findings
        </label>
        {all.length > 0 && (
          <p class="totals soft">
            {isFiltered && `${count} of `}
            {formatTotals(countTotals(all, found))}
          </p>
        )}
      </div>
      {choosingFor.value !== undefined && (
        <p class="choosing" role="status">
          Select the conversation to compare with.{' '}
          <button
            type="button"
            class="small"
            onClick={() => {
              choosingFor.value = undefined;
            }}
          >
            Cancel
          </button>
        </p>
      )}
      {isFiltered && count === 0 && (
        <p class="empty">
          No task fits the filters.{' '}
          <button type="button" class="small" onClick={clearFilters}>
            Clear them
          </button>
        </p>
      )}
      <VirtualList
        class="list"
        label="Tasks"
        items={rows}
        height={filterGroup.value === '' ? TASK_PX : measureRow}
        current={current}
        render={(row) =>
          row.kind === 'group' ? (
            <GroupItem key={`group ${row.name}`} {...row} />
          ) : (
            <TaskItem
              key={row.task.id}
              task={row.task}
              found={found.get(row.task.id) ?? []}
              isOneOfMany={hasSeveral}
              withoutScenario={withoutScenario}
            />
          )
        }
      />
      <button
        type="button"
        class={selectedTask.value === OTHERS ? 'others current' : 'others'}
        onClick={() => selectTask(OTHERS)}
      >
        Other requests <span class="count">{others}</span>
      </button>
    </nav>
  );
}

function clearFilters(): void {
  batch(() => {
    filterText.value = '';
    filterStatus.value = '';
    onlyFindings.value = false;
  });
}
