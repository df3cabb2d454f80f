import * as s from '../../../spec/json-schema/build-schema.js';
import { assertValid } from '../../../spec/json-schema/violations.js';
import { EVENT_NAMES, type Exchange, isTerminal } from '../../../spec/vocabulary.js';
import { EXCHANGE_FIELDS } from '../../exchange/journal-file.js';
import { CLOCK_MODES } from '../clock.js';
import { accountSchema, type Organisation } from '../organisation.js';
import { recordsSchema } from '../resources/records.js';
import { EventLog } from '../tasks/event-log.js';
import { settle } from '../tasks/lifecycle.js';
import { actionSchema, callSchema, keptFields, type Task } from '../tasks/task.js';
import { networkSchema, randomState } from './network.js';
import { checkReferences, queuedSchema, runSchema, stepSchema, Timelines } from './timelines.js';

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

type TaskSnapshot = Omit<
  Task,
  'organisation' | 'log' | 'response' | 'vain_polls' | 'readings' | keyof s.ValueOf<typeof packed>
> &
  s.ValueOf<typeof packed>;
const taskSchema = { ...packed, ...keptFields } as s.SchemaOf<unknown> as s.SchemaOf<TaskSnapshot>;

/** Increased when older snapshots become unreadable. */
export const SNAPSHOT_VERSION = 3;

/**
 * The state of one organisation as plain JSON. It contains neither the organisation's key nor its name; keys
 * in the journal are redacted. Pending requests are not part of it.
 */
export type OrganisationSnapshot = s.ValueOf<typeof snapshotSchema>;
export const snapshotSchema = s.fields({
  version: s.oneOf(SNAPSHOT_VERSION),
  clock: s.fields({
    now: s.instant,
    mode: s.oneOf(...CLOCK_MODES),
    speed: s.number(Number.MIN_VALUE),
    paused_from: s.optional(s.oneOf(...CLOCK_MODES)),
  }),
  random: randomState,
  account: accountSchema,
  /** By kind: `[id, record]`, oldest first. */
  records: recordsSchema,
  queued: s.list(queuedSchema),
  bucket: s.orNull(s.fields({ tokens: s.number(), filled_at: s.number() })),
  gates: s.list(s.text),
  timelines: s.list(s.list(stepSchema)),
  /** Oldest first. */
  tasks: s.list(taskSchema),
  task_count: s.count,
  newest_creation: s.count,
  /** Ids of finished tasks, oldest first. */
  finished: s.list(s.text),
  /** Due work in order: `task` is processed at `at` ms. */
  pending: s.list(s.fields({ at: s.number(0, s.instant.maximum), task: s.text })),
  network: networkSchema,
  journal: s.fields({
    seq: s.count,
    exchanges: s.list(s.fields(EXCHANGE_FIELDS) as s.SchemaOf<Omit<Exchange, 'organisation'>>),
  }),
});

/** Copies the state of the organisation. The copy shares no objects with it. */
export function takeSnapshot(organisation: Organisation): OrganisationSnapshot {
  organisation.catchUp();
  dropIdleWork(organisation);
  const { account, records, queued, bucket, network, journal, clock, random } = organisation;
  const timelines = new Timelines(organisation.tasks);
  const tasks = [...organisation.tasks.values()].map((task) => {
    settle(task);
    return packTask(task, timelines);
  });
  const snapshot = {
    version: SNAPSHOT_VERSION,
    clock: { now: organisation.now, mode: clock.mode, speed: clock.speed, paused_from: clock.pausedFrom },
    random: random.saveState(),
    account,
    records: Object.fromEntries(Object.entries(records).map(([kind, table]) => [kind, [...table]])),
    queued,
    bucket,
    gates: [...organisation.gates],
    timelines: timelines.all,
    tasks,
    task_count: organisation.taskCount,
    newest_creation: organisation.newestCreation,
    finished: organisation.finished,
    pending: listPendingWork(organisation),
    network: network.toSnapshot(timelines),
    journal: {
      seq: journal.seq,
      exchanges: journal.read().map(({ organisation: _name, ...exchange }) => exchange),
    },
  };
  return JSON.parse(JSON.stringify(snapshot)) as OrganisationSnapshot;
}

/**
 * Restores the organisation from a snapshot, except its name. Afterwards the same requests at the same times
 * get the same responses. Pending requests are released into the restored state. If the snapshot has
 * unfinished tasks, the generators must be loaded.
 *
 * Throws InvalidValue, which names the invalid field, before it changes anything.
 */
export function restoreSnapshot(organisation: Organisation, snapshot: unknown): void {
  assertValid(snapshotSchema, snapshot);
  const state = JSON.parse(JSON.stringify(snapshot)) as OrganisationSnapshot;
  checkReferences(state, '');
  const { account, records, queued, network, journal, name } = organisation;
  const timelines = new Timelines(organisation.tasks, state.timelines);
  const tasks = state.tasks.map((task) => unpackTask(organisation, task, timelines));

  network.reset();
  const released = organisation.stopWork();
  const { now, mode, speed, paused_from: pausedFrom } = state.clock;
  organisation.clock.set({ mode, speed, pausedFrom });
  organisation.restoreTime(now);
  organisation.random.restore(state.random);
  Object.assign(account, state.account);
  for (const [kind, table] of Object.entries(records))
    table.restore(state.records[kind] as [string, never][]);
  queued.splice(0, queued.length, ...state.queued);
  organisation.bucket = state.bucket;
  replace(organisation.gates, state.gates);
  restoreTasks(organisation, tasks, state);
  network.restore(state.network, timelines);
  const exchanges = state.journal.exchanges.map(({ seq, kind, operation, ...rest }) => {
    return { seq, kind, operation, organisation: name, ...rest };
  });
  journal.restore(exchanges, state.journal.seq);
  for (const release of released) release();
  organisation.notifyChange();
}

function restoreTasks(organisation: Organisation, tasks: readonly Task[], state: OrganisationSnapshot): void {
  organisation.tasks.clear();
  for (const task of tasks) organisation.tasks.set(task.id, task);
  organisation.taskCount = state.task_count;
  organisation.newestCreation = state.newest_creation;
  organisation.activeTasks = tasks.filter((task) => !isTerminal(task.status)).length;
  organisation.finished = state.finished;
  for (const { at, task } of state.pending) organisation.plan(at, organisation.tasks.get(task)!);
}

function dropIdleWork(organisation: Organisation): void {
  organisation.schedule.prune(
    (work) => typeof work === 'function' || organisation.tasks.get(work.id) === work,
  );
}

/** Due work of tasks in order, without duplicates at the same time. */
export function listPendingWork(organisation: Organisation): { at: number; task: string }[] {
  const seen = new Set<string>();
  const pending: { at: number; task: string }[] = [];
  for (const { at, work } of organisation.schedule.listPending()) {
    if (typeof work === 'function' || seen.has(`${at} ${work.id}`)) continue;
    seen.add(`${at} ${work.id}`);
    pending.push({ at, task: work.id });
  }
  return pending;
}

function replace(set: Set<string>, values: readonly string[]): void {
  set.clear();
  for (const value of values) set.add(value);
}

function packTask(task: Task, timelines: Timelines): TaskSnapshot {
  const {
    organisation: _own,
    log,
    runs: _,
    calls,
    actions,
    gates,
    response: _rebuilt,
    vain_polls: _counted,
    readings: _read,
    ...kept
  } = task;
  return {
    ...kept,
    events: [...log.list()],
    events_dropped: log.dropped,
    runs: timelines.packTaskRuns(task),
    calls: calls && [...calls],
    actions: actions && [...actions],
    gates: gates && [...gates],
  };
}

function unpackTask(organisation: Organisation, snapshot: TaskSnapshot, timelines: Timelines): Task {
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
    readings: null,
  };
}
