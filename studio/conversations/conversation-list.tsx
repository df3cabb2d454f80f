import { batch, computed } from '@preact/signals';
import { shortenUrl } from '../../conformance/conversation/sequence-lines.js';
import type { ExchangeSummary } from '../../mock/admin/stream/exchange-summary.js';
import type { TaskSummary } from '../../mock/control/views.js';
import { toVisible } from '../../spec/visible.js';
import type { Finding } from '../../spec/vocabulary.js';
import { findingsByTask, others, readNow, tasks } from '../live/live-state.js';
import { ChoiceFilter, TextFilter } from '../parts/filter-fields.js';
import { formatCount, formatDuration, formatTimeOfDay } from '../parts/format.js';
import { groupByLevel } from '../parts/group-by-level.js';
import { VirtualList } from '../parts/virtual-list.js';
import {
  filterStatus,
  filterText,
  onlyFindings,
  selectedExchange,
  selectedOrganisation,
  selectedTask,
  selectTask,
} from '../selection.js';
import { chooseTone } from '../sequence/exchange-row.js';
import './conversations.css';

export const OTHERS = 'others';

/** Newest first. */
export const shownTasks = computed(() =>
  filterTasks([...tasks.value.values()], findingsByTask.value).reverse(),
);

/** Tasks that match the filters. `found`: findings by task id. */
export function filterTasks<T extends TaskSummary>(
  all: readonly T[],
  found: ReadonlyMap<string, readonly Finding[]>,
): T[] {
  const text = filterText.value.toLowerCase();
  return all.filter(
    ({ id, title, scenario, organisation, status }) =>
      (filterStatus.value === '' || status === filterStatus.value) &&
      (!onlyFindings.value || found.has(id)) &&
      (text === '' || `${id} ${title} ${scenario ?? ''} ${organisation}`.toLowerCase().includes(text)),
  );
}

export const shownOthers = computed(() => {
  const text = filterText.value.toLowerCase();
  return others.value
    .filter(({ method, url, status }) => `${method} ${url} ${status}`.toLowerCase().includes(text))
    .toReversed();
});

const STATUSES = ['waiting', 'running', 'done', 'failed', 'cancelled'];

interface ConversationListProps {
  tasks: readonly TaskSummary[];
  /** Findings by task id. */
  found: ReadonlyMap<string, readonly Finding[]>;
  /** Number of requests without a task. */
  others: number;
  /** Label of a task without a scenario; undefined if the scenarios are unknown. */
  withoutScenario?: string;
}

export function ConversationList({
  tasks: shown,
  found,
  others: otherCount,
  withoutScenario,
}: ConversationListProps) {
  const current = shown.findIndex(({ id }) => id === selectedTask.value);
  const hasSeveral = shown.some(({ organisation }) => organisation !== shown[0]!.organisation);
  const isFiltered = filterText.value !== '' || filterStatus.value !== '' || onlyFindings.value;
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
      </div>
      {isFiltered && shown.length === 0 && (
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
        items={shown}
        height={58}
        current={current}
        render={(task) => (
          <TaskItem
            key={task.id}
            task={task}
            found={found.get(task.id) ?? []}
            isOneOfMany={hasSeveral}
            withoutScenario={withoutScenario}
          />
        )}
      />
      <button
        type="button"
        class={selectedTask.value === OTHERS ? 'others current' : 'others'}
        onClick={() => selectTask(OTHERS)}
      >
        Other requests <span class="count">{otherCount}</span>
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

interface TaskItemProps {
  task: TaskSummary;
  found: readonly Finding[];
  /** Several organisations exist. */
  isOneOfMany: boolean;
  withoutScenario: string | undefined;
}

function TaskItem({ task, found, isOneOfMany, withoutScenario }: TaskItemProps) {
  const { id, title, status, scenario, misfit, organisation } = task;
  const { created_at: createdAt, finished_at: finishedAt } = task;
  const isCurrent = id === selectedTask.value;
  const age =
    finishedAt === null
      ? Math.max(0, (readNow(organisation) ?? createdAt) - createdAt)
      : finishedAt - createdAt;
  return (
    <div
      role="option"
      tabIndex={-1}
      aria-selected={isCurrent}
      class={isCurrent ? 'item current' : 'item'}
      onClick={() => selectTask(id)}
    >
      <span class={`status ${status}`} title={status}>
        {status}
      </span>
      <span class="title" dir="auto">
        {toVisible(title, 120) || '(no text)'}
      </span>
      <span class="soft" title={misfit}>
        {[
          isOneOfMany && organisation,
          formatDuration(age),
          scenario ?? withoutScenario,
          misfit && 'does not fit the request',
          id.split(' ', 1)[0]!.slice(0, 6),
        ]
          .filter(Boolean)
          .join(' · ')}
      </span>
      <span class="badges">
        {groupByLevel(found).map(({ sign, tone, name, findings }) => (
          <span key={tone} class={`badge ${tone}`} title={formatCount(findings.length, name)}>
            {findings.length} {sign}
          </span>
        ))}
      </span>
    </div>
  );
}

/** Requests without a task, and refused ones. */
export function OtherRequests() {
  return (
    <section class="conversation" aria-label="Other requests">
      <div class="tabs">
        <strong>Other requests</strong> <span class="soft">no task, or refused: newest first</span>
      </div>
      <VirtualList
        class="log"
        label="Other requests"
        items={shownOthers.value}
        height={28}
        render={(each) => <OtherRequestItem key={`${each.organisation} ${each.seq}`} exchange={each} />}
      />
      {shownOthers.value.length === 0 && <p class="empty">None so far.</p>}
    </section>
  );
}

function OtherRequestItem({ exchange }: { exchange: ExchangeSummary }) {
  const { seq, organisation, method, url, at, status = 0 } = exchange;
  const isCurrent = selectedExchange.value === seq && selectedOrganisation.value === organisation;
  const select = () => {
    selectedOrganisation.value = organisation;
    selectedExchange.value = seq;
  };
  return (
    <div role="option" tabIndex={-1} aria-selected={isCurrent} class="log-line" onClick={select}>
      <span class="time">{formatTimeOfDay(at).slice(0, 8)}</span>{' '}
      <span class={chooseTone(status)}>{status || '—'}</span> {method} {toVisible(shortenUrl(url))}{' '}
      <span class="soft">
        {organisation} #{seq}
      </span>
    </div>
  );
}
