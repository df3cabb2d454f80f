import type { NetworkRule, Scenario, ServiceStep } from '../../scenarios/format/types.js';
import type { Dialect } from '../../spec/dialect.js';
import * as s from '../../spec/json-schema/build-schema.js';
import type { Journal } from '../exchange/journal.js';
import type { JournalEntry } from '../exchange/journal-entry.js';
import type { Random } from '../generate/random.js';
import { DueSchedule, type OrganisationClock } from './clock.js';
import { createRecords, type Records } from './resources/records.js';
import type { NetworkSnapshot } from './snapshot/network.js';
import type { Timelines } from './snapshot/timelines.js';
import { processDueWork } from './tasks/agent.js';
import type { ScriptRunner } from './tasks/page.js';
import type { Run, Task } from './tasks/task.js';

/** Limits of each plan: open tasks at a time, and browser sessions. */
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

/** The name of a scenario, or one that only this queue has. */
export type QueuedScenario = string | Scenario;

export interface ScenarioSource {
  findByName(name: string): Scenario | undefined;
  listNames(): string[];
  choose(request: Readonly<Record<string, unknown>>): Scenario | undefined;
  /** The scenario that matches best, and why it does not match; undefined for the library. */
  findNearest(request: Readonly<Record<string, unknown>>): { name: string; why: string } | undefined;
}

/** Credits are integers; one credit is one US cent. */
export type Account = s.ValueOf<typeof accountSchema>;
export const accountSchema = s.fields({
  id: s.text,
  name: s.text,
  /** One of `PLANS` unless the dialect accepts any text. */
  plan: s.text,
  group: s.text,
  credits: s.number(),
  browser_sessions: s.number(),
  auto_top_up: s.fields({ active: s.bool, amount: s.number(), threshold: s.number() }),
  created_at: s.instant,
});

/** Generates values. Its libraries load slowly, so it is injected when the first task needs it. */
export interface Generators {
  findProblem(schema: unknown, type?: 'object'): string | undefined;
  /** A value that satisfies the schema and has the type `type`, if given; undefined if none was found. */
  generateValue(schema: unknown, random: Random, type?: 'object'): unknown;
  /** False for a schema that cannot be used. */
  isValid(schema: unknown, value: unknown): boolean;
  generateText(task: string, random: Random): string;
}

/** Bounds of one organisation: they keep the memory of a long-running mock constant. */
export interface OrganisationLimits {
  /** Finished tasks kept; the oldest are removed first. */
  finishedTasks: number;
  /** Tasks that may be waiting or running. */
  activeTasks: number;
  /** Events kept per task; the oldest are removed first. */
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

/** The part of the network between clients and service that tasks depend on. */
export interface TaskNetwork {
  readonly steps: {
    fireVerb(verb: 'same-instant' | 'at-once', task: Task, step: string | undefined): boolean;
    /** Sends events again that a rule repeats. */
    reissue(task: Task): void;
    holdStep(task: Task, run: Run, step: string): boolean;
    isHolding(task: Task): boolean;
    listHolds(task: Task, step: string): string[];
  };
  reportStep(task: Task, run: Run, step: ServiceStep): void;
  addTimelineRule(rule: NetworkRule, scope: { task: Task; run: Run; at: number }): void;
  review(): void;
  reset(): void;
  toSnapshot(timelines: Timelines): NetworkSnapshot;
  restore(memory: NetworkSnapshot, timelines: Timelines): void;
}

export interface OrganisationSetup<N extends TaskNetwork = TaskNetwork> {
  dialect: Dialect;
  limits: OrganisationLimits;
  /** The agent performs nothing by itself: the test injects all of its work. */
  isAgentIdle?: boolean;
  /** Origin of the mock, without a trailing slash. */
  getOrigin: () => string;
  /** Loaded before the first task is created. */
  getGenerators: () => Generators;
  runScript: ScriptRunner;
  createNetwork(organisation: Organisation<N>): N;
  createJournal: (organisation: Organisation) => Journal;
  /** Organisations of the same mock, which share the bound of finished tasks. */
  countOrganisations: () => number;
  onPlanned: (organisation: Organisation) => void;
  onNote: (organisation: Organisation, note: string) => void;
  /** Called with a task that was polled many times in a row although no time passed and nothing changed. */
  onPolledInVain: (organisation: Organisation, task: Task) => void;
}

/** Pending work is pruned only above this number. */
const PRUNE_FROM = 4096;

/** A task to process, or the wake-up of a waiting request (never part of a snapshot). */
export type Work = Task | (() => void);

/**
 * The state of one API key: clock, seed, journal, scenarios and network. Two keys share nothing, not even
 * time. Time (`now`) advances only in `runTo`, which processes due work in order, each item at its own time.
 */
export class Organisation<N extends TaskNetwork = TaskNetwork> {
  readonly dialect: Dialect;
  readonly network: N;
  readonly journal: Journal;
  readonly schedule = new DueSchedule<Work>();
  readonly tasks = new Map<string, Task>();
  readonly gates = new Set<string>();
  finished: string[] = [];
  /** A name of the key, for lists. */
  keyName: string | undefined;
  taskCount = 0;
  /** Largest creation time assigned to a task, as clients see it. */
  newestCreation = 0;
  activeTasks = 0;
  /** The scenarios of the next tasks, in order. */
  readonly queued: QueuedScenario[] = [];
  sources: ScenarioSource[] = [];
  bucket: { tokens: number; filled_at: number } | null = null;
  /** The exchange being handled; notes are added to it. */
  current: JournalEntry | null = null;
  /** Tasks that clients poll; recorded only if the clock jumps. */
  readonly polled = new Set<Task>();
  /** URL of the latest request, if it was a read; recorded only if the clock skips. */
  lastRead: string | undefined;
  inFlight = 0;
  /** How many of them are polls that wait for news. The network counts the requests that it holds. */
  waiting = 0;
  /** Modules being loaded, which requests wait for. */
  loading: Promise<unknown> | null = null;
  /** The script of one request, which later requests wait for. */
  script: Promise<unknown> | null = null;
  /** Locks held by tests; a skipping clock does not move while there are any. */
  locks = 0;
  /** Sequence number of its latest request: the organisation unused for longest is removed first. */
  lastUsed = 0;
  /** No request may wait any more. */
  closed = false;
  #records: Records | undefined;
  #now: number;
  #pruneAt = PRUNE_FROM;
  #running = false;
  #watchers: { until: () => boolean; then: () => void }[] = [];

  constructor(
    readonly key: string,
    /** Name for logs, journals and reports; does not reveal the key. */
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

  get now(): number {
    return this.#now;
  }

  /** Created on first use: most organisations have only tasks. */
  get records(): Records {
    this.#records ??= createRecords(this.setup.limits.records);
    return this.#records;
  }

  note(text: string): void {
    this.setup.onNote(this, text);
  }

  /** Explains which scenario matched best and why it did not match. Loaded scenarios are tried before the library. */
  readonly explainMiss = (request: Readonly<Record<string, unknown>>): string | undefined => {
    for (const source of this.sources) {
      const miss = source.findNearest(request);
      if (miss) return `no scenario matched; the closest is ${miss.name}: ${miss.why}`;
    }
    return undefined;
  };

  /**
   * Deducts credits for a task. The automatic top-up applies when the balance falls below its threshold. A
   * running task never stops for lack of credits: the balance stops at 0.
   */
  spend(credits: number): void {
    const { account } = this;
    account.credits = Math.max(0, account.credits - credits);
    const { active, amount, threshold } = account.auto_top_up;
    if (active && amount > 0 && account.credits < threshold) account.credits += amount;
  }

  plan(at: number, work: Work): void {
    if (this.closed) return;
    const earlier = at < this.schedule.next();
    this.schedule.plan(at, work);
    if (this.schedule.size > this.#pruneAt) this.#prune();
    if (earlier) this.setup.onPlanned(this);
  }

  /**
   * Removes a wake-up that is no longer needed: a skipping clock would jump to it. If much work is planned,
   * the wake-up stays, because the search for it costs more than an extra wake-up.
   */
  cancelWakeUp(waiting: () => void): void {
    if (this.schedule.size < PRUNE_FROM) this.schedule.prune((work) => work !== waiting);
  }

  /** Advances to the time of the clock. Does nothing if called while it advances. */
  catchUp(): void {
    if (!this.#running) this.runTo(this.clock.now());
  }

  /** Performs all work due up to `time` (ms), then sets the time to `time`. */
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

  /** Stops the time and releases all pending requests. */
  close(): void {
    this.closed = true;
    for (const waiting of this.stopWork()) waiting();
  }

  /** Removes all planned work; returns the wake-ups of pending requests for release. */
  stopWork(): (() => void)[] {
    const waiting: (() => void)[] = [];
    for (const { work } of this.schedule.listPending()) if (typeof work === 'function') waiting.push(work);
    this.schedule.clear();
    // A request in flight may still refer to one of these tasks, which must not act any more.
    for (const task of this.tasks.values()) task.runs = [];
    return waiting;
  }

  /** Moves the clock and performs the work that becomes due. */
  advanceTo(time: number): void {
    this.clock.moveTo(time);
    this.runTo(time);
    // Planned work is now due earlier by the wall clock.
    if (this.clock.mode === 'eager') this.setup.onPlanned(this);
  }

  /** Advances to the next due work; false if there is none. */
  advanceToNext(): boolean {
    const next = this.schedule.next();
    if (next === Infinity) return false;
    this.advanceTo(Math.max(next, this.#now));
    return true;
  }

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

  watch(until: () => boolean, then: () => void): void {
    this.#watchers.push({ until, then });
  }

  /** Releases pending requests whose condition is met. Must be called after every change. */
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

  /** Sets any time, for a restored snapshot. */
  restoreTime(time: number): void {
    this.clock.restore(time);
    this.#now = time;
  }
}
