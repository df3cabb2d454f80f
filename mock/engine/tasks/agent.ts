import type { Step, Trigger } from '../../../scenarios/format/types.js';
import { isTerminal } from '../../../spec/vocabulary.js';
import { cancel, setAddress, settle } from './lifecycle.js';
import { performServiceStep } from './service-steps.js';
import { hasEnded, markHappened, type Run, type SideStep, type Task } from './task.js';

/**
 * Applies all time-dependent changes of a task, then performs its timelines. Due work is only a task and a
 * time, so that a snapshot can store it.
 */
export function processDueWork(task: Task): void {
  const before = task.version;
  advanceTask(task);
  if (task.version !== before) task.organisation.notifyChange();
}

function advanceTask(task: Task): void {
  const { now } = task.organisation;
  settle(task);
  if (isTerminal(task.status)) {
    if (task.runs.length > 0) perform(task);
    return;
  }
  if (task.starts_at !== null && task.starts_at <= now) {
    task.starts_at = null;
    task.status = 'running';
    task.version++;
  }
  if (task.live_at !== null && task.live_at <= now) {
    task.live_at = null;
    setAddress(task, 'live_url', 'auto');
  }
  task.organisation.network.steps.reissue(task);
  perform(task);
  enforceDeadlines(task);
}

/** A time-out of an unfinished task: when, ms, and how it ends the task. */
export interface Deadline {
  at: number;
  status: 'failed' | 'cancelled';
}

/**
 * The next time-out of a task: idle or total (dialect `session.idle-timeout`, `session.total-timeout`,
 * `task.total-timeout`; 0 is none). Undefined if it has none, or is over.
 */
export function findDeadline(task: Task): Deadline | undefined {
  if (isTerminal(task.status)) return undefined;
  const { dialect } = task.organisation;
  const total = Number(dialect[task.session ? 'session.total-timeout' : 'task.total-timeout'] ?? 0);
  const idle = task.session ? Number(dialect['session.idle-timeout'] ?? 0) : 0;
  const last = total > 0 ? task.created_at + total : Infinity;
  const at = Math.min(last, idle > 0 ? task.touched_at + idle : Infinity);
  return at === Infinity ? undefined : { at, status: at === last ? 'failed' : 'cancelled' };
}

/**
 * Enforces the time-outs.
 *
 * A time-out is planned only if no earlier work is planned for the task: most tasks end long before their
 * time-outs, and unused due work costs memory.
 */
export function enforceDeadlines(task: Task): void {
  const { organisation } = task;
  const deadline = findDeadline(task);
  if (!deadline) return;
  const { at, status } = deadline;
  // A clock that jumps would jump from one time-out to the next. With such a clock, every reader of the task
  // calls this.
  const { jumps } = organisation.clock;
  if (organisation.now >= at) {
    cancel(task, status);
  } else if (
    !jumps &&
    (task.look_planned === null || task.look_planned <= organisation.now || task.look_planned > at)
  ) {
    task.look_planned = at;
    organisation.plan(at, task);
  }
}

/**
 * Performs a task's timelines as far as possible. Called when work is due, after an action of the client and
 * when a gate opens; an extra call changes nothing.
 *
 * The task's own timeline always runs. Of the actions' timelines only the oldest unfinished one runs, because
 * a browser performs one action at a time.
 */
function perform(task: Task): void {
  let progress = true;
  while (progress && !isTerminal(task.status)) {
    progress = false;
    const main = task.runs[0];
    if (main && performRun(task, main)) progress = true;
    const action = task.runs[1];
    if (!action || isTerminal(task.status)) continue;
    if (performRun(task, action)) progress = true;
    if (hasEnded(action)) {
      task.runs.splice(1, 1);
      const next = task.runs[1];
      if (next) next.since = task.organisation.now;
      progress = true;
    }
  }
  if (isTerminal(task.status)) performEpilogue(task);
}

/** True for steps that may happen after the task's end: its recording and downloads become available, gates open. */
function isEpilogue(step: Step): boolean {
  return (
    'service' in step &&
    (step.service === 'recording_url' || step.service === 'downloads_url' || step.service === 'open')
  );
}

export function hasEpilogue(run: Run | undefined): boolean {
  return run?.steps.some((step, index) => index >= run.cursor && isEpilogue(step)) === true;
}

function performEpilogue(task: Task): void {
  const run = task.runs[0];
  while (run && run.cursor < run.steps.length) {
    const step = run.steps[run.cursor]!;
    if (isEpilogue(step) && isConditionMet(task, run, step)) {
      if (!isReady(task, run, step, run)) return;
      if (!performStep(task, run, step)) return;
    }
    advanceRun(task, run);
  }
  task.runs = [];
}

function performRun(task: Task, run: Run): boolean {
  let progress = performSideSteps(task, run);
  while (run.cursor < run.steps.length && !isTerminal(task.status)) {
    const step = run.steps[run.cursor]!;
    if (!isConditionMet(task, run, step)) {
      advanceRun(task, run);
    } else if (step.meanwhile) {
      run.side.push({ index: run.cursor, since: run.since, polls: run.polls });
      advanceRun(task, run);
      performSideSteps(task, run);
    } else if (isReady(task, run, step, run) && performStep(task, run, step)) {
      advanceRun(task, run);
    } else {
      return progress;
    }
    progress = true;
  }
  return progress;
}

function performSideSteps(task: Task, run: Run): boolean {
  let progress = false;
  for (let i = 0; i < run.side.length && !isTerminal(task.status); i++) {
    const side: SideStep = run.side[i]!;
    const step = run.steps[side.index]!;
    if (!isReady(task, run, step, side) || !performStep(task, run, step)) continue;
    run.side.splice(i--, 1);
    markHappened(run, step.id);
    progress = true;
  }
  return progress;
}

/** False if the step has to be tried again later. */
function performStep(task: Task, run: Run, step: Step): boolean {
  const { organisation } = task;
  if ('service' in step) {
    if (step.id !== undefined && organisation.network.steps.holdStep(task, run, step.id)) return false;
    if (!performServiceStep(task, run, step)) return false;
    organisation.network.reportStep(task, run, step);
  }
  if ('network' in step) organisation.network.addTimelineRule(step, { task, run, at: organisation.now });
  return true;
}

function advanceRun(task: Task, run: Run): void {
  const step = run.steps[run.cursor]!;
  if (!step.meanwhile && isConditionMet(task, run, step)) markHappened(run, step.id);
  run.cursor++;
  run.since = task.organisation.now;
  run.polls = task.polls;
}

function isConditionMet(task: Task, run: Run, step: Step): boolean {
  if (!step.if) return true;
  const reply = findReply(task, run, step.if.reply);
  return reply !== undefined && step.if.code.includes(reply.code);
}

export function findReply(task: Task, run: Run, id: string) {
  return task.calls?.get(run.ids[id] ?? id)?.reply;
}

/** `place`: the waiting position and its start time, either the run itself or a parallel step. */
function isReady(task: Task, run: Run, step: Step, place: Run | SideStep): boolean {
  // Network steps do not depend on the agent; all other steps wait until the task leaves the queue.
  if (task.starts_at !== null && !('network' in step)) return false;
  if ('client' in step && !hasClientActed(task, run, step, place.polls)) return false;
  return step.after === undefined || isTriggered(task, run, step.after, place);
}

function isTriggered(task: Task, run: Run, after: Trigger, place: Run | SideStep): boolean {
  const { organisation } = task;
  const { since, polls } = place;
  if (after.polls !== undefined && task.polls - polls < after.polls) return false;
  if (after.gate !== undefined && !organisation.isGateOpen(after.gate, task)) return false;
  if (after.reply !== undefined && findReply(task, run, after.reply) === undefined) return false;
  if (after.step !== undefined && !run.happened.has(after.step)) return false;
  if (after.time_ms !== undefined && organisation.now < since + after.time_ms) {
    const at = since + after.time_ms;
    if (task.look_planned === null || task.look_planned <= organisation.now) task.look_planned = at;
    if (place.due !== at) organisation.plan(at, task);
    place.due = at;
    return false;
  }
  return true;
}

function hasClientActed(
  task: Task,
  run: Run,
  step: Extract<Step, { client: unknown }>,
  polls: number,
): boolean {
  switch (step.client) {
    case 'reply':
      return findReply(task, run, step.to) !== undefined;
    case 'action':
      return step.id !== undefined && run.ids[step.id] !== undefined;
    case 'close':
      return task.closing;
    case 'poll':
      return task.polls - polls >= (step.times ?? 1);
    case 'cancel':
      // A cancelled task has no timeline, so this step never happens.
      return false;
  }
}
