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
  /** The first time-outs that end tasks, also those among `more`. */
  timeouts: DueWork[];
}

const MOST_LISTED = 20;

/** Lists the work that will change something, and the time-outs that would end tasks. */
export function viewDueWork(organisation: Organisation): DueWorkView {
  organisation.catchUp();
  const { name, now, schedule } = organisation;
  const timeouts = listTimeouts(organisation);
  const seen = new Set<string>();
  const all = schedule.listPending().flatMap(({ at, work }) => {
    if (typeof work === 'function') return { at, what: 'a request that waits goes on' };
    if (seen.has(`${at} ${work.id}`)) return [];
    seen.add(`${at} ${work.id}`);
    return describeDueWork(work, at);
  });
  all.push(...timeouts);
  all.sort((one, other) => one.at - other.at);
  const due = all.slice(0, MOST_LISTED);
  const more = all.length - due.length;
  return { organisation: name, now, due, more, timeouts: timeouts.slice(0, MOST_LISTED) };
}

/** Also those that are not planned yet: a time-out is planned only when no earlier work of its task is. */
function listTimeouts({ tasks }: Organisation): DueWork[] {
  return [...tasks.values()]
    .flatMap((task): DueWork[] => {
      const deadline = findDeadline(task);
      return deadline ? [{ at: deadline.at, what: 'time-out', task: task.id, ends: deadline.status }] : [];
    })
    .sort((one, other) => one.at - other.at);
}

/** Empty for a time-out, and for work that an earlier change made void. */
function describeDueWork(task: Task, at: number): DueWork | [] {
  if (findDeadline(task)?.at === at) return [];
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
