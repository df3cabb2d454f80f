import type { Step } from '../../../scenarios/format/types.js';
import type { TaskEvent } from '../../../spec/vocabulary.js';
import { EventLog } from '../tasks/event-log.js';
import {
  type Action,
  addSideStep,
  type Call,
  markHappened,
  nameEvent,
  type Run,
  type SideStep,
  startRun,
  type Task,
} from '../tasks/task.js';

/** A run as plain JSON. */
export interface RunSnapshot extends Pick<Run, 'cursor' | 'since' | 'polls' | 'action'> {
  /** Index into the snapshot's `timelines`: one for all runs of the same scenario. */
  timeline?: number;
  /** The steps themselves, of what the agent improvised. */
  steps?: readonly Step[];
  ids: [string, string][];
  happened: string[];
  side: Omit<SideStep, 'due'>[];
}

type KeptTaskFields = Omit<Task, 'log' | 'runs' | 'calls' | 'actions' | 'gates' | 'answer' | 'vain_polls'>;

/** A task as plain JSON. */
export interface TaskSnapshot extends KeptTaskFields {
  events: readonly TaskEvent[];
  events_dropped: number;
  runs: RunSnapshot[];
  calls: [string, Call][] | null;
  actions: [string, Action][] | null;
  gates: string[] | null;
}

/** The timelines of a snapshot, each once however many tasks follow it. */
export class Timelines {
  readonly all: (readonly Step[])[] = [];
  #indexes = new Map<readonly Step[], number>();

  indexOf(steps: readonly Step[]): number {
    let index = this.#indexes.get(steps);
    if (index === undefined) {
      index = this.all.push(steps) - 1;
      this.#indexes.set(steps, index);
    }
    return index;
  }
}

export function packTask(task: Task, timelines: Timelines): TaskSnapshot {
  const { log, runs, calls, actions, gates, answer: _rebuilt, vain_polls: _counted, ...kept } = task;
  return {
    ...kept,
    events: log.all(),
    events_dropped: log.dropped,
    runs: runs.map((run, index) => packRun(run, index === 0 && task.scenario !== null, timelines)),
    calls: calls && [...calls],
    actions: actions && [...actions],
    gates: gates && [...gates],
  };
}

export function packRun(run: Run, isScripted: boolean, timelines: Timelines): RunSnapshot {
  const { steps, ids, happened, side, due: _plannedAgain, ...kept } = run;
  return {
    ...(isScripted ? { timeline: timelines.indexOf(steps) } : { steps }),
    ...kept,
    ids: Object.entries(ids),
    happened: [...happened],
    side: side.map(({ index, since, polls }) => ({ index, since, polls })),
  };
}

export function unpackTask(
  snapshot: TaskSnapshot,
  timelines: readonly (readonly Step[])[],
  eventLimit: number,
): Task {
  const { events, events_dropped, runs, calls, actions, gates, ...kept } = snapshot;
  const log = new EventLog(eventLimit);
  log.restore(events);
  log.dropped = events_dropped;
  return {
    ...kept,
    log,
    runs: runs.map((run) => unpackRun(run, timelines)),
    calls: calls && new Map(calls),
    actions: actions && new Map(actions),
    gates: gates && new Set(gates),
    answer: null,
    vain_polls: 0,
  };
}

export function unpackRun(snapshot: RunSnapshot, timelines: readonly (readonly Step[])[]): Run {
  const { timeline, steps, cursor, since, polls, action, ids, happened, side } = snapshot;
  const run = startRun(timeline === undefined ? steps! : timelines[timeline]!, since, polls, action);
  run.cursor = cursor;
  for (const [step, event] of ids) nameEvent(run, step, event);
  for (const id of happened) markHappened(run, id);
  for (const step of side) addSideStep(run, step);
  return run;
}
