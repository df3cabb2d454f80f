import type { ServiceStep, Step } from '../../../scenarios/format/types.js';
import * as s from '../../../spec/json-schema/build-schema.js';
import { EVENT_NAMES, RESULT_CODES, TASK_STATUSES } from '../../../spec/vocabulary.js';
import type { Organisation } from '../organisation.js';
import type { EventLog } from './event-log.js';

/** A tool call that the agent made, and what became of it. */
export type Call = s.ValueOf<typeof callSchema>;
export const callSchema = s.fields({
  tool: s.text,
  input: s.optional(s.anything),
  /** Id of the step that made it, if the step is in the task's own timeline. */
  step: s.optional(s.text),
  /** The first reply counts; later ones change nothing. */
  reply: s.optional(
    s.fields({ code: s.oneOf(...RESULT_CODES), output: s.optional(s.anything), at: s.instant }),
  ),
});

/** An action that the client sent. */
export type Action = s.ValueOf<typeof actionSchema>;
export const actionSchema = s.fields({
  event: s.oneOf(...EVENT_NAMES),
  /** `goto`, `close`, … or whatever the client wrote. */
  name: s.text,
  input: s.object,
  at: s.instant,
  answered: s.bool,
  /** What its result said that it cost. */
  credits_used: s.optional(s.number()),
  /** What its script came to, until the result is sent. */
  outcome: s.optional(s.fields({ code: s.oneOf(...RESULT_CODES), output: s.optional(s.anything) })),
  /** Id of the timeline's client step that this action fulfils. */
  step: s.optional(s.text),
});

/** A step that waits in parallel to the others (`meanwhile`). */
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
  /** The task's polls until then. */
  polls: number;
  /** Event ids by step id: of calls made and of actions that fulfil a client step. */
  ids: Readonly<Record<string, string>>;
  /** Ids of the steps that have happened. */
  happened: Set<string>;
  side: SideStep[];
  /** Time for which work is already planned for this step, ms. */
  due: number;
  /** The action (by event id) that this run performs. */
  action?: string;
}

/** Why the scenario that was chosen for a task does not fit its request, and what to do. */
export type Misfit = s.ValueOf<typeof misfitSchema>;
const misfitSchema = s.fields({ requirement: s.text, message: s.text });

export type AddressField = 'live_url' | 'recording_url' | 'downloads_url';

/** What never changes about a task. */
const fixed = s.fields({
  id: s.text,
  /** 1, 2, 3 … within the organisation. */
  seq: s.count,
  /** The body of POST /task as it came. */
  request: s.object,
  session: s.bool,
  created_at: s.instant,
  /** `created_at` as clients see it, in the unit of dialect `task.created-at`. */
  shown_created_at: s.instant,
  /** The scenario it follows; null when the agent improvises. */
  scenario: s.orNull(s.text),
});

const changing = s.fields({
  status: s.oneOf(...TASK_STATUSES),
  finished_at: s.orNull(s.instant),
  /** Addresses; `auto` is one on the mock itself, written out when it is read (`addressOf`). */
  live_url: s.orNull(s.text),
  recording_url: s.orNull(s.text),
  downloads_url: s.orNull(s.text),
  credits_used: s.orNull(s.number()),
  visible: s.bool,
  /** Polls that got a response. */
  polls: s.count,
  /** Largest event timestamp in a response, ms. */
  shown: s.number(),
  /** `version` at the last poll. */
  shown_version: s.count,
  /** When a client last sent a request about it. */
  touched_at: s.instant,
  /** A close action has been accepted. */
  closing: s.bool,
  /** When the end of the task began to wait until clients had the time to read its last event. */
  withheld_since: s.orNull(s.instant),
  /** When it leaves the queue, gets its live address, gets its recording; null when nothing is pending. */
  starts_at: s.orNull(s.instant),
  live_at: s.orNull(s.instant),
  recording_at: s.orNull(s.instant),
  /** Next time for which work is planned (or was): later work is planned then. */
  look_planned: s.orNull(s.instant),
  /** None unless the scenario was chosen by its name. */
  misfits: s.optional(s.list(misfitSchema)),
  /** Raised by every change that a poll can show. */
  version: s.count,
});

/** What a snapshot keeps of a task as it is. */
export const keptFields = { allOf: [fixed, changing] };

/** A task or a session. Section "Task". */
export interface Task extends Readonly<s.ValueOf<typeof fixed>>, s.ValueOf<typeof changing> {
  readonly organisation: Organisation;
  /** Undefined at the end of an improvised task until the task is read (`settle`). */
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
  /** What polls have brought, by their `event_t`; of clocks that jump. In no snapshot. */
  readings: Map<number, PollReading> | null;
  /** Cached response to the last poll, valid while nothing changes. */
  response: { version: number; event_t: number; downloads: boolean; text: string; shown: number } | null;
}

/** What the latest response to polls from one position brought. */
export interface PollReading {
  /** `version` of the task. */
  version: number;
  /** How often that was read from there. */
  times: number;
}

export function startRun(steps: readonly Step[], now: number, polls: number, action?: string): Run {
  const run: Run = { steps, cursor: 0, since: now, polls, ids: NO_IDS, happened: NONE, side: [], due: 0 };
  if (action !== undefined) run.action = action;
  return run;
}

// Shared until the first use: most runs need none of their own.
const NONE: Set<string> = Object.freeze(new Set<string>());
// Looked up by ids that clients make up ("constructor"): nothing may be inherited.
const NO_IDS: Run['ids'] = Object.freeze(Object.create(null));

/** Records the event id of a step. */
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

export function isServiceStep<Verb extends ServiceStep['service']>(
  step: Step,
  verb: Verb,
): step is Extract<ServiceStep, { service: Verb }> {
  return 'service' in step && step.service === verb;
}

export function hasEnded(run: Run): boolean {
  return run.cursor >= run.steps.length && run.side.length === 0;
}
