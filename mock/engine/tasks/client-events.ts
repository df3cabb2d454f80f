import type { Step } from '../../../scenarios/format/types.js';
import { parseUrl } from '../../../spec/addresses.js';
import { type Problem, type Validator, validators } from '../../../spec/generated/validators.js';
import { findByPointer, parsePointer } from '../../../spec/json.js';
import { isObject } from '../../../spec/json-schema/schema.js';
import { showJson } from '../../../spec/show.js';
import {
  ACTIONS,
  type ActionName,
  type EventName,
  isTerminal,
  type ResultCode,
  type TaskEvent,
} from '../../../spec/vocabulary.js';
import type { Organisation } from '../organisation.js';
import { processDueWork } from './agent.js';
import { logEvent } from './event-log.js';
import { improviseAction, listUsableTools, refuseAction } from './improvise.js';
import { failAction } from './lifecycle.js';
import { readScript, type Script, type ScriptOutcome, toScriptResult } from './page.js';
import { type Action, isServiceStep, nameEvent, type Run, startRun, type Task } from './task.js';

/** `unknown`: no call has this id. `repeated`: the call already has a reply. */
type ReplyOutcome = 'accepted' | 'repeated' | 'unknown';

/** The client replies to a tool call. Section "Events", rule 4. */
export function receiveReply(task: Task, id: string, code: ResultCode, output: unknown): ReplyOutcome {
  const { organisation } = task;
  const call = task.calls?.get(id);
  if (!call) return 'unknown';
  task.touched_at = organisation.now;
  if (call.reply) return 'repeated';
  call.reply = { code, output, at: organisation.now };
  echoEvent(task, { id, name: 'tool_call', payload: { code, output } });
  noteMismatch(task, id, code);
  processDueWork(task);
  organisation.notifyChange();
  return 'accepted';
}

/** The script that an action would run; undefined if it has none or if the scenario defines its result. */
export function findScript(task: Task, id: string, payload: Record<string, unknown>): Script | undefined {
  const { name, input } = payload;
  if (name !== 'evaluate_js' || !isObject(input) || task.organisation.setup.isAgentIdle) return undefined;
  const results = listScriptedResults(task, findStep(task, name)?.id);
  const isGiven = results.some((result) => 'output' in result || result.code !== undefined);
  return isGiven ? undefined : readScript(task, id, input);
}

/**
 * The client sends an action to a session. Its result follows later as an event with the same id. `outcome`
 * is that of the script from `findScript`.
 */
export function receiveAction(
  task: Task,
  id: string,
  event: EventName,
  payload: Record<string, unknown>,
  outcome?: ScriptOutcome,
): void {
  const { organisation } = task;
  const { name = '', input } = payload;
  const action: Action = {
    event,
    name: String(name ?? ''),
    input: isObject(input) ? input : {},
    at: organisation.now,
    answered: false,
    ...(outcome && { outcome: toScriptResult(organisation, outcome) }),
  };
  task.touched_at = organisation.now;
  task.actions ??= new Map();
  task.actions.set(id, action);
  echoEvent(task, { id, name: event, payload });
  assignStep(task, id, action);
  if (!organisation.setup.isAgentIdle) performAction(task, id, action, payload);
  if (action.name === 'close' && event === ACTIONS.close) close(task, id);
  processDueWork(task);
  organisation.notifyChange();
}

function performAction(task: Task, id: string, action: Action, payload: Record<string, unknown>): void {
  const results = listScriptedResults(task, action.step);
  const isScripted = results.length > 0 && (action.name !== 'close' || isCloseNext(task, action));
  if (!isScripted) improvise(task, id, action, payload);
}

/** Lists an event of the client with the time of the service, if the dialect (`event.echo`) requires it. */
function echoEvent(task: Task, event: Omit<TaskEvent, 'timestamp'>): void {
  const { dialect, setup } = task.organisation;
  if (dialect['event.echo'] === 'plain' && !setup.isAgentIdle) logEvent(task, event);
}

/**
 * A note is written after this number of consecutive polls without news and without time passing, and after
 * each multiple.
 */
const MANY_POLLS = 20;

/**
 * Called when the response to a poll from `event_t` shows the events up to `shown` (ms): resumes steps that
 * wait for polls.
 */
export function recordPoll(task: Task, event_t: number, shown: number): void {
  const { organisation } = task;
  const isInVain = task.touched_at === organisation.now && task.shown_version === task.version;
  task.vain_polls = isInVain ? task.vain_polls + 1 : 0;
  if (isInVain && task.vain_polls % MANY_POLLS === MANY_POLLS - 1)
    organisation.setup.onPolledInVain(organisation, task);
  task.polls++;
  task.shown_version = task.version;
  task.touched_at = organisation.now;
  if (shown > task.shown) task.shown = shown;
  if (organisation.clock.jumps) noteReading(task, event_t, shown);
  if (!isTerminal(task.status) || task.runs.length > 0) processDueWork(task);
}

/** Read positions kept per task. Clients soon repeat the positions that they read from. */
const MOST_READINGS = 64;

function noteReading(task: Task, event_t: number, shown: number): void {
  const { version, organisation } = task;
  organisation.polled.add(task);
  task.readings ??= new Map();
  const { readings } = task;
  const times = readings.get(event_t)?.version === version ? readings.get(event_t)!.times : 0;
  if (readings.size > MOST_READINGS) readings.clear();
  readings.set(event_t, { version, times: times + 1 });
  // This client continues from `shown` and has seen everything up to it. A position that is already known
  // keeps its own record.
  if (shown > event_t && !readings.has(shown)) readings.set(shown, { version, times: 0 });
}

type ActionStep = Extract<Step, { client: 'action' | 'close' }>;

function isActionStep(step: Step): step is ActionStep {
  return 'client' in step && (step.client === 'action' || step.client === 'close');
}

function isOpen({ id }: ActionStep, { ids }: Run): boolean {
  return id !== undefined && ids[id] === undefined;
}

/** The first client step of the timeline that waits for an action of this name. */
function findStep({ runs: [run] }: Task, name: string): ActionStep | undefined {
  return run?.steps.find((each): each is ActionStep => {
    if (!isActionStep(each) || !isOpen(each, run)) return false;
    return (each.client === 'close' ? 'close' : each.name) === name;
  });
}

function assignStep(task: Task, id: string, action: Action): void {
  const step = findStep(task, action.name);
  if (step?.id === undefined) return;
  nameEvent(task.runs[0]!, step.id, id);
  action.step = step.id;
}

function listScriptedResults({ runs: [run] }: Task, step: string | undefined) {
  if (step === undefined) return [];
  return run!.steps.filter((each) => isServiceStep(each, 'result')).filter(({ to }) => to === step);
}

/** True if no other expected action precedes the close: no action can follow once the session is closed. */
function isCloseNext({ runs: [run] }: Task, { step }: Action): boolean {
  const ahead = run!.steps.slice(run!.cursor).filter(isActionStep);
  const first = ahead.find((each) => each.id === step || isOpen(each, run!));
  return first === undefined || first.id === step;
}

function improvise(task: Task, id: string, action: Action, payload: Record<string, unknown>): void {
  const { organisation } = task;
  const { random, dialect } = organisation;
  const start = (steps: Step[]) => task.runs.push(startRun(steps, organisation.now, task.polls, id));
  const problem = checkAction(organisation, action, payload);
  if (problem !== undefined) {
    start(refuseAction(id, problem));
    return;
  }
  const after = dialect['session.status-after-close'] === 'cancelled' ? 'cancelled' : 'done';
  const tools = listUsableTools(organisation, task.request, action.input.max_steps);
  const steps = improviseAction(action.name as ActionName, id, tools, random, after);
  // The scenario may end the session itself.
  const isEnded =
    action.name === 'close' &&
    action.step !== undefined &&
    isCloseNext(task, action) &&
    task.runs[0]!.steps.some((step) => isServiceStep(step, 'finish'));
  start(isEnded ? steps.filter((step) => !isServiceStep(step, 'finish')) : steps);
}

function close(task: Task, closeId: string): void {
  task.closing = true;
  if (task.organisation.setup.isAgentIdle) return;
  for (const [id, action] of task.actions ?? []) {
    if (action.answered || id === closeId) continue;
    // A result that the scenario sends itself may still follow.
    if (action.step !== undefined && !task.runs.some((run) => run.action === id)) continue;
    failAction(task, id, action, 'The session was closed before this action was finished.');
  }
  const main = task.runs[0];
  task.runs = task.runs.filter((run) => run === main || run.action === closeId);
}

/** Notes a reply that differs from the scenario; the timeline continues with any reply. */
function noteMismatch({ organisation, runs: [run], scenario }: Task, id: string, sent: ResultCode): void {
  for (const step of run?.steps ?? []) {
    if (!('client' in step) || step.client !== 'reply' || run!.ids[step.to] !== id) continue;
    const { code = sent, to } = step;
    if (code !== sent)
      organisation.note(
        `scenario ${scenario} expects a reply with code ${code} to "${to}", the client sent ${sent}`,
      );
    return;
  }
}

/**
 * For each action: the validator of its payload, and the input field that must not be empty. Section "Session
 * action payloads".
 */
const FORMS: Readonly<Record<ActionName, readonly [check: Validator, text?: string]>> = {
  goto: [validators.GotoPayload, 'url'],
  extract: [validators.ExtractPayload],
  evaluate_js: [validators.EvaluateJsPayload, 'js'],
  // The text of a task may be empty, as in POST /task.
  run_task: [validators.RunTaskPayload],
  close: [validators.ClosePayload],
};

/**
 * Describes what is wrong with an action; undefined if it is valid. The service accepts an invalid event and
 * sends a result of code 400 (section "Events", rule 5).
 */
function checkAction(
  organisation: Organisation,
  { event, input }: Action,
  payload: Readonly<Record<string, unknown>>,
): string | undefined {
  const { name } = payload;
  if (typeof name !== 'string' || !Object.hasOwn(ACTIONS, name)) {
    const known = Object.keys(ACTIONS).join(', ');
    return `Unknown action ${showJson(name)}: a session knows ${known}.`;
  }
  const expected = ACTIONS[name as ActionName];
  if (event !== expected) return `Action "${name}" must be sent as ${expected}, not as ${event}.`;
  const [check, text = ''] = FORMS[name as ActionName];
  const [wrong] = check(payload) ?? [];
  if (wrong) return `Action "${name}" needs ${describeMismatch(payload, wrong)}.`;
  if (input[text] === '') return `Action "${name}" needs input.${text} (string); got "".`;
  const { url } = input;
  const opens = name === 'goto' || name === 'run_task';
  if (opens && typeof url === 'string' && !isOpenable(organisation, url))
    return `Action "${name}" needs a URL with a scheme, such as https://example.com, as input.url.`;
  // Clients send schemas: an action whose schema cannot be used gets a result of code 400.
  const schemaField = name === 'extract' ? 'schema' : 'response_model';
  const schema = input[schemaField];
  const problem =
    schema === null || schema === undefined
      ? undefined
      : organisation.setup.getGenerators().findProblem(schema);
  return problem && `Action "${name}" has an unusable input.${schemaField}: ${problem}`;
}

/** `input.prompt (string or null); got 5` */
function describeMismatch(payload: object, { keyword, instancePath, params, message }: Problem): string {
  const at = parsePointer(instancePath);
  if (keyword === 'required') return `${[...at, params.missingProperty].join('.')}, which is missing`;
  const form = keyword === 'type' ? ` (${[params.type].flat().join(' or ')})` : `, which ${message}`;
  return `${at.join('.')}${form}; got ${showJson(findByPointer(payload, instancePath))}`;
}

/** True for an address that the service can open: dialect `task.url-form`. */
export function isOpenable(organisation: Organisation, url: string): boolean {
  return organisation.dialect['task.url-form'] === 'any-text' || parseUrl(url) !== undefined;
}
