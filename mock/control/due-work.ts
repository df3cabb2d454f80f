import type { Organisation } from '../engine/organisation.js';
import { findDeadline } from '../engine/tasks/agent.js';
import type { Run, SideStep, Task } from '../engine/tasks/task.js';
import { describeStep } from './gates.js';
import { findDueTime } from './missing-conditions.js';

/** Something that happens when the clock gets there. */
export interface DueWork {
  /** ms. */
  at: number;
  /** In words: `service tool_call get_weather (first)`. */
  what: string;
  /** Absent for a request that a network rule holds or delays. */
  task?: string;
  /** A time-out: the task ends with this status. */
  ends?: 'failed' | 'cancelled';
}

/** What is due in one organisation. */
export interface DueWorkView {
  organisation: string;
  /** ms. */
  now: number;
  /** The next ones, in order. */
  due: DueWork[];
  /** Number of later ones. */
  more: number;
  /** The first time-out that ends a task, also if it is among `more`; null if there is none. */
  timeout: DueWork | null;
}

const MOST_LISTED = 20;

/** Lists the work that will change something, and the first time-out that would end a task. */
export function viewDueWork(organisation: Organisation): DueWorkView {
  organisation.catchUp();
  const { name, now, schedule } = organisation;
  const timeout = findTimeout(organisation);
  const seen = new Set<string>();
  const all = schedule.listPending().flatMap(({ at, work }) => {
    if (typeof work === 'function') return { at, what: 'a request that waits goes on' };
    if (seen.has(`${at} ${work.id}`)) return [];
    seen.add(`${at} ${work.id}`);
    return describeDueWork(work, at);
  });
  // A time-out is planned only when no earlier work of its task is.
  if (timeout && !all.some(({ at, ends }) => at === timeout.at && ends)) {
    const index = all.findIndex(({ at }) => at > timeout.at);
    all.splice(index === -1 ? all.length : index, 0, timeout);
  }
  const due = all.slice(0, MOST_LISTED);
  return { organisation: name, now, due, more: all.length - due.length, timeout };
}

function findTimeout({ tasks }: Organisation): DueWork | null {
  let first: DueWork | null = null;
  for (const task of tasks.values()) {
    const deadline = findDeadline(task);
    if (deadline && deadline.at < (first?.at ?? Infinity))
      first = { at: deadline.at, what: TIMEOUT, task: task.id, ends: deadline.status };
  }
  return first;
}

const TIMEOUT = 'time-out';

/** Empty for work that an earlier change made void. */
function describeDueWork(task: Task, at: number): DueWork | [] {
  const deadline = findDeadline(task);
  if (deadline?.at === at) return { at, what: TIMEOUT, task: task.id, ends: deadline.status };
  const changes = listChanges(task, at);
  return changes.length === 0 ? [] : { at, what: changes.join(', '), task: task.id };
}

/** What changes in a task at a time, except a time-out. */
function listChanges(task: Task, at: number): string[] {
  const { starts_at, live_at, recording_at, withheld_since } = task;
  const changes = [
    starts_at === at && 'leaves the queue',
    live_at === at && 'gets its live URL',
    recording_at === at && 'gets its recording',
    task.organisation.network.steps.isHolding(task) && 'a step that a rule holds may go on',
  ].filter((each) => typeof each === 'string');
  // Only the oldest action is performed.
  for (const run of starts_at === null ? task.runs.slice(0, 2) : [])
    for (const { index, place } of listPlaces(run)) {
      const step = run.steps[index]!;
      const isWithheld = withheld_since !== null && 'service' in step && step.service === 'finish';
      if (isWithheld || findDueTime(task, step, place) === at) changes.push(describeStep(step));
    }
  return changes;
}

function listPlaces(run: Run): { index: number; place: Run | SideStep }[] {
  const next = run.cursor < run.steps.length ? [{ index: run.cursor, place: run }] : [];
  return [...next, ...run.side.map((place) => ({ index: place.index, place }))];
}
