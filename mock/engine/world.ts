import type { Dialect } from '../../spec/dialect.js';
import type { Random } from '../generate/random.js';
import type { Network } from '../network/network.js';
import type { StepRules } from '../network/step-rules.js';
import type { WorldClock } from './clock.js';
import { DueSchedule } from './schedule.js';
import { processDueWork } from './tasks/due-work.js';
import type { RunScript } from './tasks/page.js';
import type { Task } from './tasks/task.js';

/** What the engine needs of the network between the two sides. */
export interface NetworkPort extends Pick<Network, 'arm' | 'stepped' | 'review'> {
  steps: Pick<StepRules, 'fires' | 'holds' | 'reissue'>;
}

/** Generates values. Its libraries are slow to load, so it is injected once the first task needs it. */
export interface Generators {
  /** Why this schema cannot be used; undefined if it can. */
  problem(schema: unknown): string | undefined;
  /** A value that satisfies the schema; undefined if none was found. */
  value(schema: unknown, random: Random): unknown;
  /** Whether a value satisfies the schema; false for a schema that cannot be used. */
  fits(schema: unknown, value: unknown): boolean;
  /** A plausible result of a task, in a sentence. */
  text(task: string, random: Random): string;
}

/** Bounds of one organisation, so that a mock left running does not grow. */
export interface WorldLimits {
  /** Finished tasks kept; beyond it the oldest go. */
  finishedTasks: number;
  /** Tasks that may be waiting or running. */
  activeTasks: number;
  /** Events kept in one task; beyond it the oldest go. */
  eventsPerTask: number;
  /** Records of one kind (profiles, files, chats, …). */
  records: number;
}

export const DEFAULT_WORLD_LIMITS: WorldLimits = {
  finishedTasks: 10_000,
  activeTasks: 200_000,
  eventsPerTask: 1_000_000,
  records: 10_000,
};

/** Everything a world is given from outside. */
export interface WorldSetup {
  /** Name that reveals nothing of the key. */
  name: string;
  key: string;
  clock: WorldClock;
  random: Random;
  dialect: Dialect;
  limits: WorldLimits;
  /** Where the mock is reached, without a slash at the end. */
  origin: () => string;
  /** Loaded before the first task is made. */
  generators: () => Generators;
  /** Loaded before the first `evaluate_js` action is accepted. */
  runScript: RunScript;
  network: NetworkPort;
  /** Called when work is planned earlier than all other work. */
  onPlanned: () => void;
  /** A line for the log and the journal. */
  onNote: (note: string) => void;
  /** Called with a task that was polled many times in a row without time passing or news. */
  onPolledInVain: (task: Task) => void;
  /** Called with each completed task. */
  onEnded: (task: Task) => void;
  /** Called with credits that are spent. */
  spend: (credits: number) => void;
}

/** Below this amount, pending work is not pruned. */
const PRUNE_FROM = 4096;

/** Due work: a task to process, or the wake-up of a waiting request (never part of a snapshot). */
export type Work = Task | (() => void);

/**
 * The time of one organisation, its seed and its tasks. Everything that happens here happens at `now`, which moves
 * only in `runTo`: due work is processed in order, each at its own time.
 */
export class World {
  readonly schedule = new DueSchedule<Work>();
  readonly tasks = new Map<string, Task>();
  readonly gates = new Set<string>();
  /** Ids of finished tasks, oldest first. */
  finished: string[] = [];
  taskCount = 0;
  /** Largest creation time that a task has been given, as clients see it. */
  newestCreation = 0;
  activeTasks = 0;
  #now: number;
  #pruneAt = PRUNE_FROM;
  #running = false;
  #closed = false;
  #watchers: { until: () => boolean; then: () => void }[] = [];

  constructor(readonly setup: WorldSetup) {
    this.#now = setup.clock.now();
  }

  /** ms of this organisation's clock. */
  get now(): number {
    return this.#now;
  }

  /** Plans processing of a task (or a wake-up) at `at` ms. */
  plan(at: number, work: Work): void {
    if (this.#closed) return;
    const earlier = at < this.schedule.next();
    this.schedule.plan(at, work);
    if (this.schedule.size > this.#pruneAt) this.#prune();
    if (earlier) this.setup.onPlanned();
  }

  /**
   * Removes a wake-up that is no longer needed: a skipping clock would jump to it. Where much is
   * planned it stays: finding it costs more than an extra wake-up.
   */
  unplan(waiting: () => void): void {
    if (this.schedule.size < PRUNE_FROM) this.schedule.prune((work) => work !== waiting);
  }

  /** Advances the world to the time of its clock; does nothing while it is already advancing. */
  catchUp(): void {
    if (!this.#running) this.runTo(this.setup.clock.now());
  }

  /** Performs all work that is due up to `time` (ms), then sets the time to `time`. */
  runTo(time: number): void {
    const outer = this.#running;
    this.#running = true;
    try {
      for (let work = this.schedule.take(time); work; work = this.schedule.take(time)) {
        if (this.schedule.takenAt > this.#now) this.#now = this.schedule.takenAt;
        if (typeof work === 'function') work();
        else processDueWork(this, work);
      }
      if (time > this.#now) this.#now = time;
    } finally {
      this.#running = outer;
    }
  }

  /** Closes the world: its time stops, and pending requests are released now. */
  close(): void {
    this.#closed = true;
    for (const waiting of this.stopWork()) waiting();
  }

  /** True once the world is closed: a request can no longer wait. */
  get closed(): boolean {
    return this.#closed;
  }

  /** Removes all planned work; returns the wake-ups of pending requests, for release. */
  stopWork(): (() => void)[] {
    const waiting: (() => void)[] = [];
    for (const { work } of this.schedule.pending()) if (typeof work === 'function') waiting.push(work);
    this.schedule.clear();
    // A request under way may still refer to one of these tasks, which must not act any more.
    for (const task of this.tasks.values()) task.runs = [];
    return waiting;
  }

  /** Moves the clock, and the world with it. */
  advanceTo(time: number): void {
    this.setup.clock.moveTo(time);
    this.runTo(time);
    // What is due by the wall clock is due earlier now.
    if (this.setup.clock.mode === 'eager') this.setup.onPlanned();
  }

  /** Moves to the next due work; false when there is none. */
  advanceToNext(): boolean {
    const next = this.schedule.next();
    if (next === Infinity) return false;
    this.advanceTo(Math.max(next, this.#now));
    return true;
  }

  /** Removes time-outs of tasks that have ended. */
  #prune(): void {
    this.schedule.prune(
      (work) =>
        typeof work === 'function' ||
        work.finished_at === null ||
        work.recording_at !== null ||
        work.runs.length > 0,
    );
    this.#pruneAt = Math.max(PRUNE_FROM, 2 * this.schedule.size);
  }

  /** Calls `then` once `until` returns true; checked after every change. */
  watch(until: () => boolean, then: () => void): void {
    this.#watchers.push({ until, then });
  }

  /** Releases pending requests whose condition is met. To be called after every change. */
  changed(): void {
    this.setup.network.review();
    if (this.#watchers.length === 0) return;
    const ready = this.#watchers.filter((watcher) => watcher.until());
    if (ready.length === 0) return;
    this.#watchers = this.#watchers.filter((watcher) => !ready.includes(watcher));
    for (const watcher of ready) watcher.then();
  }

  openGate(gate: string, task?: Task): void {
    if (task) {
      task.gates ??= new Set();
      task.gates.add(gate);
      processDueWork(this, task);
    } else {
      this.gates.add(gate);
      for (const each of this.tasks.values()) if (each.runs.length > 0) processDueWork(this, each);
    }
    this.changed();
  }

  isOpen(gate: string, task: Task): boolean {
    return this.gates.has(gate) || task.gates?.has(gate) === true;
  }

  /** Sets the time back or forth for a restored snapshot. */
  restoreTime(time: number): void {
    this.setup.clock.restore(time);
    this.#now = time;
  }
}
