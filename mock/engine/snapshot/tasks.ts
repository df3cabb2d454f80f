import {
  count,
  entries,
  fields,
  list,
  number,
  object,
  oneOf,
  orNull,
  text,
  type ValueOf,
} from '../../../spec/json-schema/build-schema.js';
import { EVENT_NAMES } from '../../../spec/vocabulary.js';
import { EventLog } from '../tasks/event-log.js';
import { actionSchema, callSchema, KEPT_FIELDS, type Task } from '../tasks/task.js';
import { runSchema, type Timelines } from './timelines.js';

const event = fields({ id: text, name: oneOf(...EVENT_NAMES), payload: object, timestamp: number() });

/** A task as plain JSON. */
export type TaskSnapshot = ValueOf<typeof taskSchema> & Pick<Task, 'output'>;
export const taskSchema = fields({
  ...KEPT_FIELDS,
  events: list(event),
  events_dropped: count,
  runs: list(runSchema),
  calls: orNull(entries(callSchema)),
  actions: orNull(entries(actionSchema)),
  gates: orNull(list(text)),
});

export function packTask(task: Task, timelines: Timelines): TaskSnapshot {
  const { log, runs: _, calls, actions, gates, answer: _rebuilt, vain_polls: _counted, ...kept } = task;
  return {
    ...kept,
    events: [...log.all()],
    events_dropped: log.dropped,
    runs: timelines.packTaskRuns(task),
    calls: calls && [...calls],
    actions: actions && [...actions],
    gates: gates && [...gates],
  };
}

export function unpackTask(snapshot: TaskSnapshot, timelines: Timelines, eventLimit: number): Task {
  const { events, events_dropped, runs, calls, actions, gates, ...kept } = snapshot;
  const log = new EventLog(eventLimit);
  log.restore(events);
  log.dropped = events_dropped;
  return {
    ...kept,
    log,
    runs: runs.map((run) => timelines.unpackRun(run)),
    calls: calls && new Map(calls),
    actions: actions && new Map(actions),
    gates: gates && new Set(gates),
    answer: null,
    vain_polls: 0,
  };
}
