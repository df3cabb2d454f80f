import type { Step } from '../../../scenarios/format/types.js';
import {
  ACTIONS,
  type EventName,
  isTerminal,
  type ResultCode,
  type TaskEvent,
} from '../../../spec/vocabulary.js';
import type { World } from '../world.js';
import { checkAction } from './action-check.js';
import { isOpenable } from './address.js';
import { processDueWork } from './due-work.js';
import { improviseAction, refuseAction, withinSteps } from './improvise.js';
import { toolNames } from './lifecycle.js';
import { logEvent } from './log-event.js';
import { pageOf } from './page.js';
import { type Action, nameEvent, type Run, startRun, type Task } from './task.js';

/** What became of a reply: `unknown` when no call has this id, `repeated` when the call has its reply already. */
export type ReplyOutcome = 'taken' | 'repeated' | 'unknown';

/** The client replies to a tool call. Section "Events", rule 4. */
export function reply(world: World, task: Task, id: string, code: ResultCode, output: unknown): ReplyOutcome {
  const call = task.calls?.get(id);
  if (!call) return 'unknown';
  task.touched_at = world.now;
  if (call.reply) return 'repeated';
  call.reply = { code, output, at: world.now };
  echo(world, task, { id, name: 'tool_call', payload: { code, output } });
  noteMismatch(world, task, id, code);
  processDueWork(world, task);
  world.changed();
  return 'taken';
}

/** The client sends an action to a session. Its result comes later as an event with the same id. */
export function act(
  world: World,
  task: Task,
  id: string,
  event: EventName,
  payload: Record<string, unknown>,
): void {
  const input = payload.input;
  const action: Action = {
    event,
    name: String(payload.name ?? ''),
    input: input !== null && typeof input === 'object' ? (input as Record<string, unknown>) : {},
    at: world.now,
    answered: false,
  };
  task.touched_at = world.now;
  task.actions ??= new Map();
  task.actions.set(id, action);
  echo(world, task, { id, name: event, payload });
  const isScripted = fulfilScripted(task, id, action);
  if (action.name === 'evaluate_js' && !hasGivenResult(task, action)) runScript(world, task, id, action);
  if (!isScripted) improvise(world, task, id, action, payload);
  if (action.name === 'close' && event === ACTIONS.close) close(world, task, id);
  processDueWork(world, task);
  world.changed();
}

/** Lists an event that the client sent, under the time of the service, where dialect `event.echo` says so. */
function echo(world: World, task: Task, event: Omit<TaskEvent, 'timestamp'>): void {
  if (world.setup.dialect['event.echo'] !== 'plain') return;
  logEvent(world, task, event);
  task.version++;
}

/** Polls of a task in a row that learn nothing and between which no time passes, after which somebody is told: 20, 40, … */
const MANY_POLLS = 20;

/** A poll has been answered with the events up to `shown` (ms): time for what waits for polls. */
export function polled(world: World, task: Task, shown: number): void {
  const isInVain = task.touched_at === world.now && task.shown_version === task.version;
  task.vain_polls = isInVain ? task.vain_polls + 1 : 0;
  if (isInVain && task.vain_polls % MANY_POLLS === MANY_POLLS - 1) world.setup.onPolledInVain(task);
  task.polls++;
  task.shown_version = task.version;
  task.touched_at = world.now;
  if (shown > task.shown) task.shown = shown;
  if (!isTerminal(task.status) || task.runs.length > 0) processDueWork(world, task);
}

/** The first client step of the timeline that waits for such an action takes it. */
function fulfilScripted(task: Task, id: string, action: Action): boolean {
  const run = task.runs[0];
  if (!run) return false;
  for (const step of run.steps) {
    if (!isActionStep(step) || step.id === undefined || run.ids[step.id] !== undefined) continue;
    if ((step.client === 'close' ? 'close' : step.name) !== action.name) continue;
    nameEvent(run, step.id, id);
    action.step = step.id;
    // Without a scripted result the agent makes one up as for any other action.
    const answers = run.steps.some(
      (other) => 'service' in other && other.service === 'result' && other.to === step.id,
    );
    return answers && (step.client !== 'close' || comesToClose(run, step.id));
  }
  return false;
}

/** The timeline says what the result of the action is, not only when it comes. */
function hasGivenResult(task: Task, { step }: Action): boolean {
  return (
    step !== undefined &&
    task.runs[0]!.steps.some(
      (each) =>
        'service' in each &&
        each.service === 'result' &&
        each.to === step &&
        ('output' in each || each.code !== undefined),
    )
  );
}

/** A script runs when it is sent, in the page that the actions before it lead to. */
function runScript(world: World, task: Task, id: string, action: Action): void {
  const { js, args } = action.input;
  if (typeof js !== 'string') return;
  const random = world.setup.random.fork(`script ${task.id} ${id}`);
  const page = pageOf(world, task, action);
  const outcome = world.setup.runScript({ js, args, page, now: world.now, random });
  const isRefused = outcome.code === 500 && world.setup.dialect['event.script-error'] === '400';
  action.outcome = isRefused ? { ...outcome, code: 400 } : outcome;
}

function isActionStep(step: Step): step is Extract<Step, { client: 'action' | 'close' }> {
  return 'client' in step && (step.client === 'action' || step.client === 'close');
}

function improvise(
  world: World,
  task: Task,
  id: string,
  action: Action,
  payload: Record<string, unknown>,
): void {
  const { random, dialect } = world.setup;
  const mistake =
    checkAction(action.event, payload, Number(dialect['limits.max-steps-maximum'])) ??
    checkActionUrl(world, action) ??
    checkActionSchema(world, action);
  if (mistake !== undefined) {
    task.runs.push(startRun(refuseAction(id, mistake), world.now, task.polls, id));
    return;
  }
  const after = dialect['session.status-after-close'] === 'cancelled' ? 'cancelled' : 'done';
  const usual = Number(dialect['limits.max-steps-default']);
  const tools = withinSteps(toolNames(task.request), action.input.max_steps, usual);
  const steps = improviseAction(action.name as keyof typeof ACTIONS, id, tools, random, after);
  const wanted = steps.filter((step) => !('service' in step) || !isLeftOut(step.service, task, action));
  task.runs.push(startRun(wanted, world.now, task.polls, id));
}

/** The page that a goto or a run_task opens. */
function checkActionUrl(world: World, { name, input }: Action): string | undefined {
  const { url } = input;
  if ((name !== 'goto' && name !== 'run_task') || typeof url !== 'string') return undefined;
  if (isOpenable(world, url)) return undefined;
  return `Action "${name}" needs a URL with a scheme, such as https://example.com, as input.url.`;
}

/** Schemas come from outside: an action whose schema cannot be used is answered, not performed. */
function checkActionSchema(world: World, action: Action): string | undefined {
  const field = action.name === 'extract' ? 'schema' : 'response_model';
  const schema = action.input[field];
  if (schema === null || schema === undefined) return undefined;
  const problem = world.setup.generators().problem(schema);
  return problem === undefined
    ? undefined
    : `Action "${action.name}" has an unusable input.${field}: ${problem}`;
}

/** The end of an improvised close, where the script brings it itself. */
function isLeftOut(service: string, task: Task, action: Action): boolean {
  return (
    action.name === 'close' &&
    service === 'finish' &&
    action.step !== undefined &&
    scriptEnds(task, action.step)
  );
}

/** The script brings the end itself, unless it waits for an action before: none can come once the session is closed. */
function scriptEnds(task: Task, close: string): boolean {
  const run = task.runs[0]!;
  return comesToClose(run, close) && run.steps.some((step) => 'service' in step && step.service === 'finish');
}

function comesToClose(run: Run, close: string): boolean {
  const ahead = run.steps.slice(run.cursor).filter(isActionStep);
  const first = ahead.find(({ id }) => id === close || (id !== undefined && run.ids[id] === undefined));
  return first === undefined || first.id === close;
}

/** A close ends what is under way: every other action that was accepted is answered with 500. */
function close(world: World, task: Task, closeId: string): void {
  task.closing = true;
  for (const [id, action] of task.actions ?? []) {
    if (action.answered || id === closeId) continue;
    // What the script answers itself, it may still answer.
    if (action.step !== undefined && !task.runs.some((run) => run.action === id)) continue;
    action.answered = true;
    const payload = { code: 500, output: 'The session was closed before this action was finished.' };
    logEvent(world, task, { id, name: action.event, payload });
    task.version++;
  }
  const main = task.runs[0];
  task.runs = task.runs.filter((run) => run === main || run.action === closeId);
}

/** The script goes on whatever the client replied; that it was not what the script expects is worth a note. */
function noteMismatch(world: World, task: Task, id: string, code: ResultCode): void {
  const run = task.runs[0];
  const step = run?.steps.find(
    (each) => 'client' in each && each.client === 'reply' && run.ids[each.to] === id,
  );
  if (
    !step ||
    !('client' in step) ||
    step.client !== 'reply' ||
    step.code === undefined ||
    step.code === code
  )
    return;
  world.setup.onNote(
    `scenario ${task.scenario} expects a reply with code ${step.code} to "${step.to}", the client sent ${code}`,
  );
}
