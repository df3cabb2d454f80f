import type { Scenario, ServiceStep, Step } from '../../../scenarios/format/types.js';
import {
  isTerminal,
  type TaskEvent,
  type TaskStatus,
  type TerminalStatus,
} from '../../../spec/vocabulary.js';
import type { Organisation } from '../organisation.js';
import { mentionContext } from '../resources/chats.js';
import { saveProfile } from '../resources/profiles.js';
import { hasEpilogue, processDueWork } from './agent.js';
import { logEvent, NO_LOG } from './event-log.js';
import { AWAIT_APPROVAL, improviseTask, listUsableTools } from './improvise.js';
import { type Action, type AddressField, isServiceStep, type Run, startRun, type Task } from './task.js';
import { improviseOutcome } from './tool-outputs.js';

/** Shortest and longest time in the queue if no scenario defines it, ms. */
const QUEUED_MS = [200, 600] as const;
/** Delay of the live view's address if the dialect is `late`, ms. */
const LIVE_URL_DELAY_MS = 1000;

/** How long the last event can be read with a 202 before the task becomes terminal, ms: two polls of a session. */
const READABLE_MS = 2000;

/** Builds the next running task of the organisation, without adding it. `at` in ms. */
export function buildTask(
  organisation: Organisation,
  id: string,
  request: Task['request'],
  at: number,
  scenario: string | null = null,
): Task {
  return {
    organisation,
    id,
    seq: ++organisation.taskCount,
    status: 'running',
    request,
    session: request.task === null || request.task === undefined,
    created_at: at,
    shown_created_at: assignCreationTime(organisation, at),
    finished_at: null,
    output: null,
    live_url: null,
    recording_url: null,
    downloads_url: null,
    credits_used: null,
    visible: false,
    log: NO_LOG,
    scenario,
    runs: NO_RUNS,
    calls: null,
    actions: null,
    gates: null,
    polls: 0,
    vain_polls: 0,
    shown: 0,
    shown_version: 0,
    touched_at: at,
    closing: false,
    withheld_since: null,
    starts_at: null,
    live_at: null,
    recording_at: null,
    look_planned: null,
    version: 1,
    readings: null,
    response: null,
  };
}

/** Clients page through tasks by creation time: dialect `task.created-at-ties`. `at` in ms. */
function assignCreationTime(organisation: Organisation, at: number): number {
  const { dialect } = organisation;
  const time = dialect['task.created-at'] === 'seconds' ? Math.floor(at / 1000) : at;
  if (dialect['task.created-at-ties'] === 'shared') return time;
  organisation.newestCreation = Math.max(time, organisation.newestCreation + 1);
  return organisation.newestCreation;
}

/** Creates a task or a session and starts its timeline. Section "States and transitions". */
export function createTask(
  organisation: Organisation,
  request: Readonly<Record<string, unknown>>,
  scenario?: Scenario,
  /** An improvised timeline first waits for the gate `APPROVAL_GATE`. */
  waitsForApproval = false,
): Task {
  const { random, dialect, setup } = organisation;
  const newId = random.uuid();
  const named = scenario?.task_id ?? newId;
  const id = organisation.tasks.has(named) ? newId : named;
  const task = buildTask(organisation, id, request, organisation.now, scenario?.name);
  if (dialect['task.first-status'] === 'waiting') task.status = 'waiting';
  let steps: readonly Step[] = scenario?.timeline ?? [];
  if (!scenario && !task.session && !setup.isAgentIdle) {
    steps = improviseTask(listUsableTools(organisation, request, request.max_steps), random);
    if (waitsForApproval) steps = [AWAIT_APPROVAL, ...steps];
  }
  task.runs = [startRun(steps, organisation.now, 0)];
  organisation.tasks.set(task.id, task);
  organisation.activeTasks++;
  planStart(task, scenario);
  processDueWork(task);
  return task;
}

/** A task that ended in the past. Times in ms. */
export interface PastTask extends Pick<Task, 'id' | 'request' | 'output' | 'created_at'> {
  status: TerminalStatus;
  credits_used: number;
  finished_at: number;
}

/** Adds a finished task. It costs no credits and never changes. */
export function addPastTask(organisation: Organisation, past: PastTask): void {
  const { id, request, created_at, finished_at, status, output, credits_used } = past;
  const task = buildTask(organisation, id, request, created_at);
  const recorded = status === 'done' && request.enable_recording !== false;
  Object.assign(task, {
    status,
    finished_at,
    output,
    credits_used,
    live_url: 'auto',
    recording_url: recorded ? 'auto' : '',
    touched_at: finished_at,
  } satisfies Partial<Task>);
  organisation.tasks.set(id, task);
  organisation.finished.push(id);
}

/**
 * Generates what is not needed before a read: the output of an improvised task, and the recording's address
 * once due. Called before a task is read, because most finished tasks of a busy mock are never read.
 */
export function settle(task: Task): void {
  if (task.output === undefined) task.output = improviseOutput(task);
  if (task.recording_at === null || task.recording_at > task.organisation.now) return;
  task.recording_at = null;
  setAddress(task, 'recording_url', 'auto');
}

export function setAddress(task: Task, field: AddressField, value: string | null): void {
  if (task[field] === value) return;
  task[field] = value;
  task.version++;
}

/**
 * Ends the task; false if it has to wait. Clients ignore events in a terminal response, so the last event
 * must be readable with a 202 first (dialect `event.result-with-terminal`). `hasRecordingStep`: a later step
 * sets the address of the recording.
 */
export function finish(
  task: Task,
  { status = 'done', credits_used, recording_url, at_once, id }: Extract<ServiceStep, { service: 'finish' }>,
  output: unknown,
  hasRecordingStep: boolean,
): boolean {
  if (isTerminal(task.status)) return true;
  const isWithheld = at_once !== true && needsWithholding(task);
  if (isWithheld && !task.organisation.network.steps.fireVerb('at-once', task, id)) return false;
  const done = status === 'done';
  // Undefined until the task is read.
  task.output = output === undefined && !(done && !task.session) ? null : output;
  task.credits_used = credits_used ?? computeCredits(task, done);
  task.recording_url = recording_url ?? null;
  if (recording_url === undefined && !hasRecordingStep) planRecording(task, status);
  endTask(task, status, false);
  return true;
}

/** A session costs the sum of its results; the cost of a successful one-shot task grows with its events. */
function computeCredits(task: Task, done: boolean): number {
  if (!task.session) return done ? 1 + Math.floor(task.log.length / 2) : 0;
  let sum = 0;
  for (const { credits_used } of task.actions?.values() ?? []) sum += credits_used ?? 0;
  return sum;
}

export function failAction(task: Task, id: string, action: Action, output: string): void {
  action.answered = true;
  logEvent(task, { id, name: action.event, payload: { code: 500, output } });
}

/** The client stops the task (DELETE). Accepted actions without a result get one of code 500. */
export function cancel(task: Task, status: TaskStatus & TerminalStatus = 'cancelled'): void {
  if (isTerminal(task.status)) return;
  const isFailing = !task.organisation.setup.isAgentIdle;
  for (const [id, action] of task.actions ?? []) {
    if (isFailing && !action.answered)
      failAction(task, id, action, `The task was ${status} before this action was finished.`);
  }
  task.credits_used = computeCredits(task, false);
  task.recording_url = '';
  endTask(task, status, true);
}

export function removeTask(task: Task): void {
  const { organisation } = task;
  if (!organisation.tasks.delete(task.id)) return;
  if (isTerminal(task.status)) organisation.finished = organisation.finished.filter((id) => id !== task.id);
  else endTask(task, 'cancelled', true, true);
}

function endTask(task: Task, status: TerminalStatus, stopped: boolean, isForgotten = false): void {
  const { organisation } = task;
  task.status = status;
  task.finished_at = organisation.now;
  const main = task.runs[0];
  task.runs = main && !stopped && hasEpilogue(main) ? [main] : NO_RUNS;
  task.version++;
  organisation.activeTasks--;
  if (task.credits_used) organisation.spend(task.credits_used);
  saveProfile(task);
  if (!isForgotten) keepWithinLimit(task);
  organisation.notifyChange();
}

// Shared by all finished tasks; a run may be removed from it, but never added.
const NO_RUNS: Run[] = [];

/** All organisations together keep the finished tasks of so many; each keeps at least `LEAST_SHARE`, which bounds the sum. */
const MOST_SHARES = 10;
const LEAST_SHARE = 100;

function keepWithinLimit(task: Task): void {
  const { finished, tasks, setup } = task.organisation;
  finished.push(task.id);
  const { finishedTasks } = setup.limits;
  const share = Math.floor((MOST_SHARES * finishedTasks) / setup.countOrganisations());
  const most = Math.min(finishedTasks, Math.max(LEAST_SHARE, share));
  const surplus = finished.length - most;
  if (surplus <= most >> 4) return;
  // Removal in blocks keeps finishing a task cheap at the bound.
  for (const id of finished.splice(0, Math.max(surplus, 1))) tasks.delete(id);
}

/**
 * Depends only on time, because a poll must not change what other clients see. A scripted event may have any
 * timestamp: then the time counts from the intended end of the task.
 */
function needsWithholding(task: Task): boolean {
  const { organisation } = task;
  if (organisation.dialect['event.result-with-terminal'] === 'with') return false;
  const last = task.log.list().findLast((event) => !hasReply(task, event));
  if (last === undefined) return false;
  const until = Math.min(last.timestamp, task.withheld_since ?? organisation.now) + READABLE_MS;
  if (organisation.now >= until) return false;
  if (task.withheld_since === null) {
    task.withheld_since = organisation.now;
    organisation.plan(until, task);
  }
  return true;
}

/** True for a call with a reply, and for the echo of the reply. The call may be sent again later. */
function hasReply(task: Task, event: TaskEvent): boolean {
  const isEcho = Object.hasOwn(event.payload, 'code');
  if (task.calls?.get(event.id)?.reply === undefined) return false;
  return isEcho || task.log.find(event.id) === event;
}

function improviseOutput(task: Task): unknown {
  const { task: text, response_model: model } = task.request;
  const outcomeInput = { task: String(text), model, calls: task.calls?.values() ?? [] };
  // A separate random stream: the value must not depend on the time of the read.
  const { setup, random } = task.organisation;
  const outcome = improviseOutcome(setup.getGenerators(), outcomeInput, random.fork(task.id));
  const isText = typeof outcome === 'string' && (model === null || model === undefined);
  return isText ? outcome + mentionContext(task.request) : outcome;
}

/** Plans the time-dependent changes: the first address of the live view, and the start of a queued task. */
function planStart(task: Task, scenario: Scenario | undefined): void {
  const { organisation } = task;
  const { isAgentIdle } = organisation.setup;
  const hasStep = (service: ServiceStep['service']) =>
    scenario?.timeline.some((step) => isServiceStep(step, service)) === true;
  if (!hasStep('live_url')) {
    const isLate = organisation.dialect['task.live-url-first'] === 'late';
    if (!isLate) task.live_url = 'auto';
    else if (!isAgentIdle) {
      task.live_at = organisation.now + LIVE_URL_DELAY_MS;
      organisation.plan(task.live_at, task);
    }
  }
  if (task.status === 'waiting' && !hasStep('status') && !isAgentIdle) {
    task.starts_at = organisation.now + organisation.random.int(QUEUED_MS[0], QUEUED_MS[1]);
    organisation.plan(task.starts_at, task);
  }
}

function planRecording(task: Task, status: TerminalStatus): void {
  const { organisation } = task;
  if (task.request.enable_recording === false || status !== 'done') {
    task.recording_url = '';
    return;
  }
  const delay = Number(organisation.dialect['recording.delay']);
  if (delay === 0) {
    task.recording_url = 'auto';
    return;
  }
  task.recording_at = organisation.now + delay;
  // Every reader of the task settles it. Only clocks that jump need planned work.
  if (organisation.clock.mode !== 'real') organisation.plan(task.recording_at, task);
}
