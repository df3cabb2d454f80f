import type { Step } from '../../../scenarios/format/types.js';
import {
  anything,
  bool,
  count,
  fields,
  instant,
  number,
  object,
  oneOf,
  optional,
  orNull,
  text,
  type ValueOf,
} from '../../../spec/json-schema/build-schema.js';
import { EVENT_NAMES, RESULT_CODES, TASK_STATUSES } from '../../../spec/vocabulary.js';
import type { EventLog } from './event-log.js';

/** A tool call that the agent made, and what became of it. */
export type Call = ValueOf<typeof callSchema>;
export const callSchema = fields({
  tool: text,
  input: optional(anything),
  /** Id of the step that made it, where it stands in the task's own timeline. */
  step: optional(text),
  /** The first reply counts; later ones change nothing. */
  reply: optional(fields({ code: oneOf(...RESULT_CODES), output: optional(anything), at: instant })),
});

/** An action that the client sent. */
export type Action = ValueOf<typeof actionSchema>;
export const actionSchema = fields({
  event: oneOf(...EVENT_NAMES),
  /** `goto`, `close`, … or whatever the client wrote. */
  name: text,
  input: object,
  at: instant,
  answered: bool,
  /** What its result said that it cost. */
  credits_used: optional(number()),
  /** What its script came to, until the result is sent. */
  outcome: optional(fields({ code: oneOf(...RESULT_CODES), output: optional(anything) })),
  /** Id of the timeline's client step that this action fulfils. */
  step: optional(text),
});

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

/** What never changes about a task. */
const FIXED = {
  id: text,
  /** 1, 2, 3 … within the organisation. */
  seq: count,
  /** The body of POST /task as it came. */
  request: object,
  session: bool,
  created_at: instant,
  /** `created_at` as clients see it, in the unit of dialect `task.created-at`. */
  shown_created_at: instant,
  /** The scenario it follows; null when the agent improvises. */
  scenario: orNull(text),
};

const CHANGING = {
  status: oneOf(...TASK_STATUSES),
  finished_at: orNull(instant),
  /** Addresses; `auto` is one on the mock itself, written out for those who look (`addressOf`). */
  live_url: orNull(text),
  recording_url: orNull(text),
  downloads_url: orNull(text),
  credits_used: orNull(number()),
  visible: bool,
  /** Polls answered. */
  polls: count,
  /** Largest event timestamp that an answer has carried, ms. */
  shown: number(),
  /** `version` as the last answered poll had it. */
  shown_version: count,
  /** When a client last asked or sent anything. */
  touched_at: instant,
  /** A close action has been accepted. */
  closing: bool,
  /** When the end of the task began to wait until clients had the time to read its last event. */
  withheld_since: orNull(instant),
  /** When it leaves the queue, gets its live address, gets its recording; null when nothing is pending. */
  starts_at: orNull(instant),
  live_at: orNull(instant),
  recording_at: orNull(instant),
  /** A look at the task is planned for then (or was): whatever else is due later is planned then. */
  look_planned: orNull(instant),
  /** Raised by every change that a poll can show. */
  version: count,
};

/** What a snapshot keeps of a task as it is. */
export const KEPT_FIELDS = { ...FIXED, ...CHANGING };

/** A task or a session. Section "Task". */
export interface Task
  extends Readonly<ValueOf<ReturnType<typeof fields<typeof FIXED>>>>,
    ValueOf<ReturnType<typeof fields<typeof CHANGING>>> {
  /** Undefined at the end of an improvised task until somebody looks (`settle`). */
  output: unknown;
  /** `NO_LOG` until the first event (`logEvent`). */
  log: EventLog;
  /** The task's own timeline first, then one for each improvised action, in the order in which they came. */
  runs: Run[];
  calls: Map<string, Call> | null;
  actions: Map<string, Action> | null;
  gates: Set<string> | null;
  /** The latest polls in a row that showed nothing new and between which no time passed. In no snapshot. */
  vain_polls: number;
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
