import type { NetworkRule, Scenario, ServiceStep } from '../../scenarios/format/types.js';
import type { Dialect } from '../../spec/dialect.js';
import * as s from '../../spec/json-schema/build-schema.js';
import type { Journal } from '../exchange/journal.js';
import type { JournalEntry } from '../exchange/journal-entry.js';
import type { Random } from '../generate/random.js';
import type { OrganisationClock } from './clock.js';
import { createRecords, type Records } from './resources/records.js';
import { DueSchedule } from './schedule.js';
import type { NetworkSnapshot } from './snapshot/network.js';
import type { Timelines } from './snapshot/timelines.js';
import { processDueWork } from './tasks/agent.js';
import type { ScriptRunner } from './tasks/page.js';
import type { Run, Task } from './tasks/task.js';

/** Plans: how many tasks each may have open at once, and how many browser sessions come with it. */
export const PLANS = {
  free: { concurrent: 2, premium: false, browser_sessions: 0 },
  starter: { concurrent: 5, premium: true, browser_sessions: 100 },
  growth: { concurrent: 50, premium: true, browser_sessions: 100 },
  enterprise: { concurrent: Number.POSITIVE_INFINITY, premium: true, browser_sessions: 100 },
} as const;
export type PlanName = keyof typeof PLANS;

export function isPlan(plan: string): plan is PlanName {
  return Object.hasOwn(PLANS, plan);
}

/** The limits of a plan; an unknown plan has those of `enterprise` (open point `billing.plan-names`). */
export function readPlan(plan: string): (typeof PLANS)[PlanName] {
  return PLANS[isPlan(plan) ? plan : 'enterprise'];
}

/** A set of loaded scenarios. */
export interface ScenarioSource {
  findByName(name: string): Scenario | undefined;
  listNames(): string[];
  /** The first whose `match` fits the request. */
  choose(request: Readonly<Record<string, unknown>>): Scenario | undefined;
  /** The scenario that came nearest, and why it did not match; undefined for the library. */
  findNearest(request: Readonly<Record<string, unknown>>): { name: string; why: string } | undefined;
}

/** Money and plan of an organisation. Credits are integers (one is one US cent). */
export type Account = s.ValueOf<typeof accountSchema>;
export const accountSchema = s.fields({
  id: s.text,
  name: s.text,
  /** One of `PLANS` unless the dialect takes any text. */
  plan: s.text,
  group: s.text,
  credits: s.number(),
  browser_sessions: s.number(),
  auto_top_up: s.fields({ active: s.bool, amount: s.number(), threshold: s.number() }),
  created_at: s.instant,
});

/** Generates values. Its libraries are slow to load, so it is injected once the first task needs it. */
export interface Generators {
  /** Why this schema cannot be used, for values of `type` where given; undefined if it can. */
  findProblem(schema: unknown, type?: 'object'): string | undefined;
  /** A value that satisfies the schema and is of `type` where given; undefined if none was found. */
  generateValue(schema: unknown, random: Random, type?: 'object'): unknown;
  /** Whether a value satisfies the schema; false for a schema that cannot be used. */
  isValid(schema: unknown, value: unknown): boolean;
  /** A plausible result of a task, in a sentence. */
  generateText(task: string, random: Random): string;
}

/** Bounds of one organisation, so that a mock left running does not grow. */
export interface OrganisationLimits {
  /** Finished tasks kept; beyond it the oldest go. */
  finishedTasks: number;
  /** Tasks that may be waiting or running. */
  activeTasks: number;
  /** Events kept in one task; beyond it the oldest go. */
  eventsPerTask: number;
  /** Records of one kind (profiles, files, chats, …). */
  records: number;
}

export const DEFAULT_ORGANISATION_LIMITS: OrganisationLimits = {
  finishedTasks: 10_000,
  activeTasks: 200_000,
  eventsPerTask: 1_000_000,
  records: 10_000,
};

/** What tasks need of the network between their clients and the service. */
export interface TaskNetwork {
  readonly steps: {
    /** True where a rule changes how the service takes this step. */
    fireVerb(verb: 'same-instant' | 'at-once', task: Task, step: string | undefined): boolean;
    /** Sends events again that a rule repeats. */
    reissue(task: Task): void;
    /** True while the step has to wait. */
    holdStep(task: Task, run: Run, step: string): boolean;
    /** True while a step of the task waits. */
    isHolding(task: Task): boolean;
    /** Describes what a waiting step of the task waits for. */
    listHolds(task: Task, step: string): string[];
  };
  /** Reports a step of the service. */
  reportStep(task: Task, run: Run, step: ServiceStep): void;
  /** Sets a rule from a timeline. */
  addTimelineRule(rule: NetworkRule, scope: { task: Task; run: Run; at: number }): void;
  /** Releases requests whose condition is met. */
  review(): void;
  reset(): void;
  toSnapshot(timelines: Timelines): NetworkSnapshot;
  restore(memory: NetworkSnapshot, timelines: Timelines): void;
}

/** What the organisations of a mock have in common. */
export interface OrganisationSetup<N extends TaskNetwork = TaskNetwork> {
  dialect: Dialect;
  limits: OrganisationLimits;
  /** The agent does nothing by itself: all that it does is injected. */
  isAgentIdle?: boolean;
  /** Where the mock is reached, without a slash at the end. */
  getOrigin: () => string;
  /** Loaded before the first task is made. */
  getGenerators: () => Generators;
  runScript: ScriptRunner;
  createNetwork(organisation: Organisation<N>): N;
  createJournal: (organisation: Organisation) => Journal;
  /** Called when work is planned earlier than all other work. */
  onPlanned: (organisation: Organisation) => void;
  /** Called with a line for the log and the journal. */
  onNote: (organisation: Organisation, note: string) => void;
  /** Called with a task that was polled many times in a row without time passing or news. */
  onPolledInVain: (organisation: Organisation, task: Task) => void;
}

/** Below this amount, pending work is not pruned. */
const PRUNE_FROM = 4096;

/** Due work: a task to process, or the wake-up of a waiting request (never part of a snapshot). */
export type Work = Task | (() => void);

/**
 * What one API key opens: its own state, clock, seed, journal, scenarios and network. Two keys share nothing, not even time.
 * Everything that happens here happens at `now`, which moves only in `runTo`: due work is processed in order, each at its own time.
 */
export class Organisation<N extends TaskNetwork = TaskNetwork> {
  readonly dialect: Dialect;
  readonly network: N;
  readonly journal: Journal;
  readonly schedule = new DueSchedule<Work>();
  readonly tasks = new Map<string, Task>();
  readonly gates = new Set<string>();
  /** Ids of finished tasks, oldest first. */
  finished: string[] = [];
  taskCount = 0;
  /** Largest creation time that a task has been given, as clients see it. */
  newestCreation = 0;
  activeTasks = 0;
  /** Names of scenarios that the next tasks follow, first come first served. */
  readonly queued: string[] = [];
  /** Its sources of scenarios, in order of precedence. */
  sources: ScenarioSource[] = [];
  /** Tokens of the rate limit. */
  bucket: { tokens: number; filled_at: number } | null = null;
  /** The exchange that is being handled; notes are added to it. */
  current: JournalEntry | null = null;
  /** Tasks that clients poll, where the clock jumps. */
  readonly polled = new Set<Task>();
  /** The address that the latest request read, where the clock skips; undefined if it did not read. */
  lastRead: string | undefined;
  /** Requests under way. */
  inFlight = 0;
  /** Of these, polls that wait for news; the network counts those it holds. */
  waiting = 0;
  /** The loading of modules for which its requests wait. */
  loading: Promise<unknown> | null = null;
  /** The script of one request, for which those after it wait. */
  script: Promise<unknown> | null = null;
  /** Number of locks that tests hold; a skipping clock does not move meanwhile. */
  locks = 0;
  /** Number of the mock's latest request to it: the organisation idle for longest is removed first. */
  lastUsed = 0;
  /** No request can wait any more. */
  closed = false;
  #records: Records | undefined;
  #now: number;
  #pruneAt = PRUNE_FROM;
  #running = false;
  #watchers: { until: () => boolean; then: () => void }[] = [];

  constructor(
    readonly key: string,
    /** Name for logs, journals and reports; reveals nothing of the key. */
    readonly name: string,
    readonly account: Account,
    readonly clock: OrganisationClock,
    readonly random: Random,
    readonly setup: OrganisationSetup<N>,
  ) {
    this.#now = clock.now();
    this.dialect = setup.dialect;
    this.network = setup.createNetwork(this);
    this.journal = setup.createJournal(this);
  }

  /** ms of this organisation's clock. */
  get now(): number {
    return this.#now;
  }

  /** Created on first use: most keys only open tasks. */
  get records(): Records {
    this.#records ??= createRecords(this.setup.limits.records);
    return this.#records;
  }

  /** Writes a line to the log and the journal. */
  note(text: string): void {
    this.setup.onNote(this, text);
  }

  /**
   * Explains which scenario came nearest to a request and why it did not match: a given one, else one of the
   * library.
   */
  readonly explainMiss = (request: Readonly<Record<string, unknown>>): string | undefined => {
    for (const source of this.sources) {
      const miss = source.findNearest(request);
      if (miss) return `no scenario matched; ${miss.name} came nearest: ${miss.why}`;
    }
    return undefined;
  };

  /**
   * Takes credits for a task. The automatic top-up fills the balance when it falls below its threshold.
   * A task that is under way is never stopped for want of credits: the balance stops at 0.
   */
  spend(credits: number): void {
    const { account } = this;
    account.credits = Math.max(0, account.credits - credits);
    const { active, amount, threshold } = account.auto_top_up;
    if (active && amount > 0 && account.credits < threshold) account.credits += amount;
  }

  /** Plans processing of a task (or a wake-up) at `at` ms. */
  plan(at: number, work: Work): void {
    if (this.closed) return;
    const earlier = at < this.schedule.next();
    this.schedule.plan(at, work);
    if (this.schedule.size > this.#pruneAt) this.#prune();
    if (earlier) this.setup.onPlanned(this);
  }

  /**
   * Removes a wake-up that is no longer needed: a skipping clock would jump to it. Where much is
   * planned it stays: finding it costs more than an extra wake-up.
   */
  cancelWakeUp(waiting: () => void): void {
    if (this.schedule.size < PRUNE_FROM) this.schedule.prune((work) => work !== waiting);
  }

  /** Advances to the time of the clock; does nothing while it is already advancing. */
  catchUp(): void {
    if (!this.#running) this.runTo(this.clock.now());
  }

  /** Performs all work that is due up to `time` (ms), then sets the time to `time`. */
  runTo(time: number): void {
    const outer = this.#running;
    this.#running = true;
    try {
      for (let work = this.schedule.removeDue(time); work; work = this.schedule.removeDue(time)) {
        if (this.schedule.lastDueAt > this.#now) this.#now = this.schedule.lastDueAt;
        if (typeof work === 'function') work();
        else processDueWork(work);
      }
      if (time > this.#now) this.#now = time;
    } finally {
      this.#running = outer;
    }
  }

  /** Closes the organisation: its time stops, and pending requests are released now. */
  close(): void {
    this.closed = true;
    for (const waiting of this.stopWork()) waiting();
  }

  /** Removes all planned work; returns the wake-ups of pending requests, for release. */
  stopWork(): (() => void)[] {
    const waiting: (() => void)[] = [];
    for (const { work } of this.schedule.listPending()) if (typeof work === 'function') waiting.push(work);
    this.schedule.clear();
    // A request under way may still refer to one of these tasks, which must not act any more.
    for (const task of this.tasks.values()) task.runs = [];
    return waiting;
  }

  /** Moves the clock, and the organisation with it. */
  advanceTo(time: number): void {
    this.clock.moveTo(time);
    this.runTo(time);
    // What is due by the wall clock is due earlier now.
    if (this.clock.mode === 'eager') this.setup.onPlanned(this);
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
  notifyChange(): void {
    this.network.review();
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
      processDueWork(task);
    } else {
      this.gates.add(gate);
      for (const each of this.tasks.values()) if (each.runs.length > 0) processDueWork(each);
    }
    this.notifyChange();
  }

  isGateOpen(gate: string, task: Task): boolean {
    return this.gates.has(gate) || task.gates?.has(gate) === true;
  }

  /** Sets the time back or forth for a restored snapshot. */
  restoreTime(time: number): void {
    this.clock.restore(time);
    this.#now = time;
  }
}
