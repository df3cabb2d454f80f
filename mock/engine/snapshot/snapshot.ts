import type { Step } from '../../../scenarios/format/types.js';
import { assertValid } from '../../../spec/json-schema/violations.js';
import { type Exchange, isTerminal } from '../../../spec/vocabulary.js';
import type { ClockMode } from '../clock.js';
import type { Account, Organisation } from '../organisation.js';
import { settle } from '../tasks/lifecycle.js';
import type { Task } from '../tasks/task.js';
import type { World } from '../world.js';
import { checkReferences, snapshotSchema } from './check.js';
import type { NetworkSnapshot, Packing, RemembersRules, Unpacking } from './network.js';
import { packRun, packTask, type TaskSnapshot, Timelines, unpackRun, unpackTask } from './task.js';

/** Raised when snapshots of before can no longer be read. */
export const SNAPSHOT_VERSION = 2;

/**
 * The whole state of one organisation as plain JSON. It holds neither the organisation's key nor its name; the journal
 * inside has its keys redacted. What requests under way wait for is not part of it.
 */
export interface OrganisationSnapshot {
  version: typeof SNAPSHOT_VERSION;
  /** `now` in ms. */
  clock: { now: number; mode: ClockMode; speed: number };
  random: number[];
  account: Account;
  /** By kind: `[id, record]`, oldest first. */
  records: Record<string, [string, unknown][]>;
  queued: string[];
  bucket: Organisation['bucket'];
  gates: string[];
  timelines: (readonly Step[])[];
  /** Oldest first. */
  tasks: TaskSnapshot[];
  task_count: number;
  newest_creation: number;
  /** Ids of finished tasks, oldest first. */
  finished: string[];
  /** What time brings, in order: a look at `task` at `at` ms. */
  pending: { at: number; task: string }[];
  network: NetworkSnapshot;
  journal: { seq: number; exchanges: Omit<Exchange, 'organisation'>[] };
}

/** Takes down everything there is to know of the organisation at this moment. Shares nothing with it. */
export function takeSnapshot(organisation: Organisation): OrganisationSnapshot {
  const { world, account, records, queued, bucket, journal } = organisation;
  world.catchUp();
  dropIdleWork(world);
  const { clock, random } = world.setup;
  const timelines = new Timelines();
  const tasks = [...world.tasks.values()].map((task) => {
    settle(world, task);
    return packTask(task, timelines);
  });
  const snapshot: OrganisationSnapshot = {
    version: SNAPSHOT_VERSION,
    clock: { now: world.now, mode: clock.mode, speed: clock.speed },
    random: random.state(),
    account,
    records: Object.fromEntries(Object.entries(records).map(([kind, table]) => [kind, table.entries()])),
    queued,
    bucket,
    gates: [...world.gates],
    timelines: timelines.all,
    tasks,
    task_count: world.taskCount,
    newest_creation: world.newestCreation,
    finished: world.finished,
    pending: pendingWork(world),
    network: memoryOf(organisation).keep(packing(world, timelines)),
    journal: {
      seq: journal.seq,
      exchanges: journal.read().map(({ organisation: _name, ...exchange }) => exchange),
    },
  };
  return JSON.parse(JSON.stringify(snapshot)) as OrganisationSnapshot;
}

/**
 * Makes the organisation what it was when the snapshot was taken; its name stays. From then on the same requests at the
 * same times get the same answers. Requests under way are let go, into the restored state. The generators must be loaded
 * when tasks are to go on.
 *
 * Throws InvalidValue, which names the place, before anything is changed.
 */
export function restoreSnapshot(organisation: Organisation, snapshot: unknown): void {
  assertValid(snapshotSchema, snapshot);
  const state = JSON.parse(JSON.stringify(snapshot)) as OrganisationSnapshot;
  checkReferences(state, '');
  const { world, account, records, queued, journal, name } = organisation;
  const { eventsPerTask: events_per_task } = world.setup.limits;
  const tasks = state.tasks.map((task) => unpackTask(task, state.timelines, events_per_task));

  organisation.network.reset();
  const released = world.stopWork();
  world.setup.clock.set({ mode: state.clock.mode, speed: state.clock.speed });
  world.restoreTime(state.clock.now);
  world.setup.random.restore(state.random);
  Object.assign(account, state.account);
  for (const [kind, table] of Object.entries(records))
    table.restore(state.records[kind] as [string, never][]);
  queued.splice(0, queued.length, ...state.queued);
  organisation.bucket = state.bucket;
  replace(world.gates, state.gates);
  restoreTasks(world, tasks, state);
  memoryOf(organisation).recall(state.network, unpacking(world, state.timelines));
  journal.restore(
    state.journal.exchanges.map(({ seq, kind, operation, ...rest }) => ({
      seq,
      kind,
      operation,
      organisation: name,
      ...rest,
    })),
    state.journal.seq,
  );
  for (const release of released) release();
  world.changed();
}

function restoreTasks(world: World, tasks: readonly Task[], state: OrganisationSnapshot): void {
  world.tasks.clear();
  for (const task of tasks) world.tasks.set(task.id, task);
  world.taskCount = state.task_count;
  world.newestCreation = state.newest_creation;
  world.activeTasks = tasks.filter((task) => !isTerminal(task.status)).length;
  world.finished = state.finished;
  for (const { at, task } of state.pending) world.plan(at, world.tasks.get(task)!);
}

function memoryOf(organisation: Organisation): RemembersRules {
  return organisation.network as unknown as RemembersRules;
}

function packing(world: World, timelines: Timelines): Packing {
  return {
    tasks: () => world.tasks.values(),
    has: (task) => world.tasks.get(task.id) === task,
    run: (task, run) => (task.runs[0] === run ? null : packRun(run, task.scenario !== null, timelines)),
  };
}

function unpacking(world: World, timelines: readonly (readonly Step[])[]): Unpacking {
  return {
    task: (id) => world.tasks.get(id),
    run: (task, run) => (run === null ? task.runs[0] : unpackRun(run, timelines)),
  };
}

/** Work of tasks that are gone brings nothing any more. */
function dropIdleWork(world: World): void {
  world.schedule.prune((work) => typeof work === 'function' || world.tasks.get(work.id) === work);
}

/** Looks at tasks in the order in which they come; a second look at the same time finds nothing new. */
export function pendingWork(world: World): { at: number; task: string }[] {
  const seen = new Set<string>();
  const pending: { at: number; task: string }[] = [];
  for (const { at, work } of world.schedule.pending()) {
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
