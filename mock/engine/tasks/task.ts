import type { Step } from '../../../scenarios/format/types.js';
import type { EventName, ResultCode, TaskStatus } from '../../../spec/vocabulary.js';
import type { EventLog } from './event-log.js';
import type { ScriptOutcome } from './scripts.js';

/** A tool call that the agent made, and what became of it. */
export interface Call {
  tool: string;
  input: unknown;
  /** Id of the step that made it, where it stands in the task's own timeline. */
  step?: string;
  /** The first reply counts; later ones change nothing. */
  reply?: { code: ResultCode; output: unknown; at: number };
}

/** An action that the client sent. */
export interface Action {
  event: EventName;
  /** `goto`, `close`, … or whatever the client wrote. */
  name: string;
  input: Record<string, unknown>;
  at: number;
  answered: boolean;
  /** What its result said that it cost. */
  credits_used?: number;
  /** What its script came to, until the result is sent. */
  outcome?: ScriptOutcome;
  /** Id of the timeline's client step that this action fulfils. */
  step?: string;
}

/** A step that waits beside the others (`meanwhile`). */
export interface SideStep {
  index: number;
  since: number;
  polls: number;
  /** As in `Run`. */
  due?: number;
}

/** One timeline being performed on a task: the scenario's, or what the agent improvises for a task or an action. */
export interface Run {
  steps: readonly Step[];
  /** Index of the step that is waited for; the run has ended when it is past the last. */
  cursor: number;
  /** When that step was reached, ms. */
  since: number;
  /** Polls answered until then. */
  polls: number;
  /** Event ids by step id: of calls made and of actions that fulfil a client step. */
  ids: Readonly<Record<string, string>>;
  /** Ids of the steps that have happened. */
  happened: Set<string>;
  side: SideStep[];
  /** A look at the task is planned for the step's time, ms: asking again need not plan it again. */
  due: number;
  /** The action (by event id) that this run performs. */
  action?: string;
}

export type AddressField = 'live_url' | 'recording_url' | 'downloads_url';

/** A task or a session. Section "Task". */
export interface Task {
  readonly id: string;
  /** 1, 2, 3 … within the organisation. */
  readonly seq: number;
  status: TaskStatus;
  /** The body of POST /task as it came. */
  readonly request: Readonly<Record<string, unknown>>;
  readonly session: boolean;
  /** ms. */
  readonly created_at: number;
  /** `created_at` as clients see it, in the unit of dialect `task.created-at`. */
  readonly shown_created_at: number;
  finished_at: number | null;
  /** Undefined at the end of an improvised task until somebody looks (`settle`). */
  output: unknown;
  /** Addresses; `auto` is one on the mock itself, written out for those who look (`addressOf`). */
  live_url: string | null;
  recording_url: string | null;
  downloads_url: string | null;
  credits_used: number | null;
  visible: boolean;
  /** `NO_LOG` until the first event (`logEvent`). */
  log: EventLog;
  /** The scenario it follows; null when the agent improvises. */
  readonly scenario: string | null;
  /** The task's own timeline first, then one for each improvised action, in the order in which they came. */
  runs: Run[];
  calls: Map<string, Call> | null;
  actions: Map<string, Action> | null;
  gates: Set<string> | null;
  /** Polls answered. */
  polls: number;
  /** Of these, the latest in a row that showed nothing new and between which no time passed. In no snapshot. */
  vain_polls: number;
  /** Largest event timestamp that an answer has carried, ms. */
  shown: number;
  /** `version` as the last answered poll had it. */
  shown_version: number;
  /** When a client last asked or sent anything, ms. */
  touched_at: number;
  /** A close action has been accepted. */
  closing: boolean;
  /** When the end of the task began to wait until clients had the time to read its last event, ms. */
  withheld_since: number | null;
  /** When it leaves the queue, gets its live address, gets its recording, ms; null when nothing is pending. */
  starts_at: number | null;
  live_at: number | null;
  recording_at: number | null;
  /** A look at the task is planned for then (or was), ms: whatever else is due later is planned then. */
  look_planned: number | null;
  /** Raised by every change that a poll can show. */
  version: number;
  /** The last poll's answer, kept as text while nothing changes. */
  answer: { version: number; event_t: number; downloads: boolean; text: string; shown: number } | null;
}

export function startRun(steps: readonly Step[], now: number, polls: number, action?: string): Run {
  const run: Run = {
    steps,
    cursor: 0,
    since: now,
    polls,
    ids: NO_IDS,
    happened: NONE,
    side: NO_SIDE,
    due: 0,
  };
  if (action !== undefined) run.action = action;
  return run;
}

// Shared until the first use: most runs of most tasks never need a set or a list of their own.
const NONE: Set<string> = Object.freeze(new Set<string>());
// Looked up by ids that clients make up ("constructor"): nothing may be inherited.
const NO_IDS: Run['ids'] = Object.freeze(Object.create(null));
const NO_SIDE: SideStep[] = [];
Object.freeze(NO_SIDE);

/** Says which event a step goes by. */
export function nameEvent(run: Run, step: string, event: string): void {
  if (run.ids === NO_IDS) run.ids = Object.create(null) as Run['ids'];
  (run.ids as Record<string, string>)[step] = event;
}

/** Marks a step as happened. */
export function markHappened(run: Run, id: string | undefined): void {
  if (id === undefined) return;
  if (run.happened === NONE) run.happened = new Set();
  run.happened.add(id);
}

export function addSideStep(run: Run, step: SideStep): void {
  if (run.side === NO_SIDE) run.side = [];
  run.side.push(step);
}

export function hasEnded(run: Run): boolean {
  return run.cursor >= run.steps.length && run.side.length === 0;
}
