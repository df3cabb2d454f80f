import * as s from '../../../spec/json-schema/build-schema.js';
import { EVENT_NAMES } from '../../../spec/vocabulary.js';
import type { Organisation } from '../organisation.js';
import { EventLog } from '../tasks/event-log.js';
import { actionSchema, callSchema, keptFields, type Task } from '../tasks/task.js';
import { runSchema, type Timelines } from './timelines.js';

const event = s.fields({
  id: s.text,
  name: s.oneOf(...EVENT_NAMES),
  payload: s.object,
  timestamp: s.number(),
});

const packed = s.fields({
  events: s.list(event),
  events_dropped: s.count,
  runs: s.list(runSchema),
  calls: s.orNull(s.entries(callSchema)),
  actions: s.orNull(s.entries(actionSchema)),
  gates: s.orNull(s.list(s.text)),
});

/** A task as plain JSON. */
export type TaskSnapshot = Omit<
  Task,
  'organisation' | 'log' | 'response' | 'vain_polls' | keyof s.ValueOf<typeof packed>
> &
  s.ValueOf<typeof packed>;
export const taskSchema = { ...packed, ...keptFields } as s.SchemaOf<unknown> as s.SchemaOf<TaskSnapshot>;

export function packTask(task: Task, timelines: Timelines): TaskSnapshot {
  const {
    organisation: _own,
    log,
    runs: _,
    calls,
    actions,
    gates,
    response: _rebuilt,
    vain_polls: _counted,
    ...kept
  } = task;
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

export function unpackTask(organisation: Organisation, snapshot: TaskSnapshot, timelines: Timelines): Task {
  const { events, events_dropped, runs, calls, actions, gates, ...kept } = snapshot;
  return {
    organisation,
    ...kept,
    log: new EventLog(organisation.setup.limits.eventsPerTask, events, events_dropped),
    runs: runs.map((run) => timelines.unpackRun(run)),
    calls: calls && new Map(calls),
    actions: actions && new Map(actions),
    gates: gates && new Set(gates),
    response: null,
    vain_polls: 0,
  };
}
