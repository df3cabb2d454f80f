import type { TaskSummary } from '../../mock/control/views.js';
import { toVisible } from '../../spec/visible.js';
import type { Finding } from '../../spec/vocabulary.js';
import { readNow } from '../live/live-state.js';
import { formatCount, formatDuration } from '../parts/format.js';
import { groupByLevel } from '../parts/group-by-level.js';
import { formatKeyName } from '../parts/key-name.js';
import { comparedTask, filterGroup, selectedTask } from '../selection.js';
import { chooseTask } from './compare-choice.js';
import { type ListRow, toggleGroup } from './list-rows.js';
import { formatTotals } from './totals.js';

interface TaskItemProps {
  task: TaskSummary;
  found: readonly Finding[];
  /** Several organisations exist. */
  isOneOfMany: boolean;
  withoutScenario: string | undefined;
}

export function TaskItem({ task, found, isOneOfMany, withoutScenario }: TaskItemProps) {
  const { id, title, status, scenario, misfit, organisation } = task;
  const { created_at: createdAt, finished_at: finishedAt } = task;
  const isCurrent = id === selectedTask.value;
  const isCompared = id === comparedTask.value;
  const age =
    finishedAt === null
      ? Math.max(0, (readNow(organisation) ?? createdAt) - createdAt)
      : finishedAt - createdAt;
  const key = isOneOfMany && filterGroup.value !== 'key' && formatKeyName(organisation);
  return (
    <div
      role="option"
      tabIndex={-1}
      aria-selected={isCurrent || isCompared}
      class={['item', isCurrent && 'current', isCompared && 'second'].filter(Boolean).join(' ')}
      onClick={(event) => chooseTask(id, event.ctrlKey || event.metaKey)}
    >
      <span class={`status ${status}`} title={status}>
        {status}
      </span>
      <bdi class="title" title={toVisible(title, 200)}>
        {toVisible(title.trim(), 120) || '(no text)'}
      </bdi>
      <span class="soft" title={misfit ?? (key ? `${toVisible(key)} (${organisation})` : undefined)}>
        {[
          key && toVisible(key, 60),
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

export function GroupItem({ name, isOpen, totals }: Extract<ListRow, { kind: 'group' }>) {
  const text = formatTotals(totals, true);
  return (
    <div
      role="option"
      tabIndex={-1}
      aria-selected={false}
      title={isOpen ? 'Close the group' : 'Open the group'}
      class="group"
      onClick={() => toggleGroup(name)}
    >
      <span aria-hidden="true">{isOpen ? '▾' : '▸'}</span>
      <bdi class="title">{toVisible(name, 100)}</bdi>
      <span class="soft" title={text}>
        {text}
      </span>
    </div>
  );
}
