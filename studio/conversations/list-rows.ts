import { signal } from '@preact/signals';
import type { TaskSummary } from '../../mock/control/views.js';
import { type Finding, isActive } from '../../spec/vocabulary.js';
import { formatKeyName } from '../parts/key-name.js';
import { filterGroup } from '../selection.js';

/** What the list can be grouped by. */
export const GROUPINGS = ['key', 'rule', 'scenario', 'status'] as const;

/** A task, or the head of a group. */
export type ListRow =
  | { kind: 'task'; task: TaskSummary }
  | { kind: 'group'; name: string; isOpen: boolean; totals: ListTotals };

export interface ListTotals {
  tasks: number;
  withFindings: number;
  /** With a broken rule. The others have advice. */
  failed: number;
  running: number;
}

type FindingsByTask = ReadonlyMap<string, readonly Finding[]>;

/** Names of the groups that show only their heads. */
const closedGroups = signal<ReadonlySet<string>>(new Set());

export function toggleGroup(name: string): void {
  const next = new Set(closedGroups.value);
  if (!next.delete(name)) next.add(name);
  closedGroups.value = next;
}

export function countTotals(tasks: readonly TaskSummary[], found: FindingsByTask): ListTotals {
  let [withFindings, failed, running] = [0, 0, 0];
  for (const { id, status } of tasks) {
    const findings = found.get(id);
    if (findings) withFindings++;
    if (findings?.some(({ level }) => level === 'must')) failed++;
    if (isActive(status)) running++;
  }
  return { tasks: tasks.length, withFindings, failed, running };
}

/** The rows of the list, grouped as chosen. The largest group comes first. */
export function createListRows(tasks: readonly TaskSummary[], found: FindingsByTask): ListRow[] {
  const grouping = filterGroup.value;
  if (grouping === '') return tasks.map((task) => ({ kind: 'task', task }));
  const groups = new Map<string, TaskSummary[]>();
  for (const task of tasks) {
    const name = readGroup(task, grouping, found.get(task.id) ?? []);
    const group = groups.get(name);
    if (group) group.push(task);
    else groups.set(name, [task]);
  }
  const rows: ListRow[] = [];
  for (const [name, group] of [...groups].sort(([, one], [, other]) => other.length - one.length)) {
    const isOpen = !closedGroups.value.has(name);
    rows.push({ kind: 'group', name, isOpen, totals: countTotals(group, found) });
    if (isOpen) for (const task of group) rows.push({ kind: 'task', task });
  }
  return rows;
}

/** The tasks of the rows, in their order. */
export function listTasks(rows: readonly ListRow[]): TaskSummary[] {
  return rows.flatMap((row) => (row.kind === 'task' ? [row.task] : []));
}

/** A task with several findings is in the group of the first broken rule. */
function readGroup(task: TaskSummary, grouping: string, findings: readonly Finding[]): string {
  if (grouping === 'key') return formatKeyName(task.organisation);
  if (grouping === 'scenario') return task.scenario ?? 'no scenario';
  if (grouping === 'status') return task.status;
  return (findings.find(({ level }) => level === 'must') ?? findings[0])?.rule ?? 'no findings';
}
