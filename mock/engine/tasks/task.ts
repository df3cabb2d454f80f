import type { ServiceStep, Step } from '../../../scenarios/format/types.js';
import * as s from '../../../spec/json-schema/build-schema.js';
import { EVENT_NAMES, RESULT_CODES, TASK_STATUSES } from '../../../spec/vocabulary.js';
import type { Organisation } from '../organisation.js';
import type { EventLog } from './event-log.js';

export type Call = s.ValueOf<typeof callSchema>;
export const callSchema = s.fields({
  tool: s.text,
  input: s.optional(s.anything),
  /** Id of the step that made the call, if the step is in the task's own timeline. */
  step: s.optional(s.text),
  /** Only the first reply counts. */
  reply: s.optional(
    s.fields({ code: s.oneOf(...RESULT_CODES), output: s.optional(s.anything), at: s.instant }),
  ),
});

export type Action = s.ValueOf<typeof actionSchema>;
export const actionSchema = s.fields({
  event: s.oneOf(...EVENT_NAMES),
  /** `goto`, `close`, … or any other text of the client. */
  name: s.text,
  input: s.object,
  at: s.instant,
  answered: s.bool,
  /** Cost stated in its result. */
  credits_used: s.optional(s.number()),
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

/** One running timeline of a task: the scenario's, or one improvised for a task or an action. */
export interface Run {
  steps: readonly Step[];
  /** Index of the current step; the run has ended if it is past the last. */
  cursor: number;
  /** Start time of that step, ms. */
  since: number;
  /** The task's poll count at that time. */
  polls: number;
  /** Event ids by step id: of calls and of actions that fulfil a client step. */
  ids: Readonly<Record<string, string>>;
  happened: Set<string>;
  side: SideStep[];
  /** Time for which work is already planned for this step, ms. */
  due: number;
  action?: string;
}

export type Misfit = s.ValueOf<typeof misfitSchema>;
const misfitSchema = s.fields({ requirement: s.text, message: s.text });

export type AddressField = 'live_url' | 'recording_url' | 'downloads_url';

const fixed = s.fields({
  id: s.text,
  /** 1, 2, 3 … within the organisation. */
  seq: s.count,
  /** The body of POST /task, unchanged. */
  request: s.object,
  session: s.bool,
  created_at: s.instant,
  /** `created_at` as clients see it, in the unit of dialect `task.created-at`. */
  shown_created_at: s.instant,
  /** Name of its scenario; null for an improvised task. */
  scenario: s.orNull(s.text),
});

const changing = s.fields({
  status: s.oneOf(...TASK_STATUSES),
  finished_at: s.orNull(s.instant),
  /** Addresses; `auto` is an address on the mock itself, resolved by `readAddress`. */
  live_url: s.orNull(s.text),
  recording_url: s.orNull(s.text),
  downloads_url: s.orNull(s.text),
  credits_used: s.orNull(s.number()),
  visible: s.bool,
  /** Polls that got a response. */
  polls: s.count,
  /** Largest event timestamp in a response, ms. */
  shown: s.number(),
  shown_version: s.count,
  /** Time of the latest request about the task. */
  touched_at: s.instant,
  closing: s.bool,
  /** Start of the period in which clients can still read the last event before the task ends. */
  withheld_since: s.orNull(s.instant),
  /**
   * Times at which the task leaves the queue, gets its live address, gets its recording; null if not pending.
   */
  starts_at: s.orNull(s.instant),
  live_at: s.orNull(s.instant),
  recording_at: s.orNull(s.instant),
  /** Next time for which work is or was planned; later work is planned at that time. */
  look_planned: s.orNull(s.instant),
  /** Set only if the scenario was chosen by its name. */
  misfits: s.optional(s.list(misfitSchema)),
  /** Increased by every change that a poll can show. */
  version: s.count,
});

/** The fields that a snapshot stores unchanged. */
export const keptFields = { allOf: [fixed, changing] };

/** A task or a session. Section "Task". */
export interface Task extends Readonly<s.ValueOf<typeof fixed>>, s.ValueOf<typeof changing> {
  readonly organisation: Organisation;
  /** Undefined for a finished improvised task until the task is read (`settle`). */
  output: unknown;
  /** `NO_LOG` until the first event (`logEvent`). */
  log: EventLog;
  /** The task's own timeline first, then one for each improvised action, in order of arrival. */
  runs: Run[];
  calls: Map<string, Call> | null;
  actions: Map<string, Action> | null;
  gates: Set<string> | null;
  /** Consecutive polls without news and without time passing. Not part of a snapshot. */
  vain_polls: number;
  /** Polls by their `event_t`; recorded only if the clock jumps. Not part of a snapshot. */
  readings: Map<number, PollReading> | null;
  /** Cached response to the last poll, valid while nothing changes. */
  response: { version: number; event_t: number; downloads: boolean; text: string; shown: number } | null;
}

interface PollReading {
  version: number;
  /** Number of polls from this position at this version. */
  times: number;
}

export function startRun(steps: readonly Step[], now: number, polls: number, action?: string): Run {
  const run: Run = { steps, cursor: 0, since: now, polls, ids: NO_IDS, happened: NONE, side: [], due: 0 };
  if (action !== undefined) run.action = action;
  return run;
}

// Shared until the first use: most runs have no entries.
const NONE: Set<string> = Object.freeze(new Set<string>());
// Looked up by ids that clients choose ("constructor"): there must be no inherited properties.
const NO_IDS: Run['ids'] = Object.freeze(Object.create(null));

export function nameEvent(run: Run, step: string, event: string): void {
  if (run.ids === NO_IDS) run.ids = Object.create(null) as Run['ids'];
  (run.ids as Record<string, string>)[step] = event;
}

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
