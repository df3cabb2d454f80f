import type { ServiceStep } from '../../../scenarios/format/types.js';
import type { TaskEvent } from '../../../spec/vocabulary.js';
import type { Organisation } from '../organisation.js';
import { logEvent } from './event-log.js';
import { finish, setAddress } from './lifecycle.js';
import { buildPage, extractData } from './page.js';
import { type Action, type Call, isServiceStep, nameEvent, type Run, type Task } from './task.js';
import { improviseOutcome } from './tool-outputs.js';

/** Performs one step of the service; false if it has to wait (a finish waits until clients can read the last event). */
export function performServiceStep(task: Task, run: Run, step: ServiceStep): boolean {
  switch (step.service) {
    case 'status':
      task.status = step.status;
      task.version++;
      return true;
    case 'tool_call':
      callTool(task, run, step);
      return true;
    case 'result':
      respondToAction(task, run, step);
      return true;
    case 'event':
      sendEvent(task, run, step);
      return true;
    case 'live_url':
    case 'recording_url':
    case 'downloads_url':
      setAddress(task, step.service, step.value);
      return true;
    case 'open':
      task.gates ??= new Set();
      task.gates.add(step.gate);
      task.organisation.notifyChange();
      return true;
    case 'finish': {
      const later = run.steps.slice(run.cursor + 1);
      const hasRecordingStep = later.some((each) => isServiceStep(each, 'recording_url'));
      return finish(task, step, fillTemplates(step.output, task, run), hasRecordingStep);
    }
  }
}

function callTool(task: Task, run: Run, step: Extract<ServiceStep, { service: 'tool_call' }>): void {
  const id = step.event_id ?? task.organisation.random.uuid();
  const input = 'input' in step ? fillTemplates(step.input, task, run) : generateInput(task, step.tool);
  addCall(task, run, step.id, id, { tool: step.tool, input });
  emit(task, step.id, { id, name: 'tool_call', payload: { name: step.tool, input } });
}

/** Sends a raw event. A raw `tool_call` accepts a reply like any other call. */
function sendEvent(task: Task, run: Run, step: Extract<ServiceStep, { service: 'event' }>): void {
  const id = step.event_id ?? task.organisation.random.uuid();
  const payload = fillTemplates(step.payload, task, run) as Record<string, unknown>;
  if (step.name === 'tool_call')
    addCall(task, run, step.id, id, { tool: String(payload.name ?? ''), input: payload.input });
  else if (step.id !== undefined) nameEvent(run, step.id, id);
  emit(task, step.id, { id, name: step.name, payload }, step.timestamp);
}

function addCall(task: Task, run: Run, step: string | undefined, id: string, call: Call): void {
  if (step !== undefined) nameEvent(run, step, id);
  task.calls ??= new Map();
  if (task.calls.has(id)) return;
  task.calls.set(id, step !== undefined && run.action === undefined ? { ...call, step } : call);
}

function generateInput(task: Task, tool: string): unknown {
  const tools = task.request.custom_tools;
  const definition = Array.isArray(tools) ? tools.find((each) => each?.name === tool) : undefined;
  const { setup, random } = task.organisation;
  // A schema that was not checked can give undefined.
  return setup.getGenerators().generateValue(definition?.inputs ?? {}, random, 'object') ?? {};
}

function respondToAction(task: Task, run: Run, step: Extract<ServiceStep, { service: 'result' }>): void {
  const id = run.ids[step.to] ?? step.to;
  const action = task.actions?.get(id);
  const outcome = 'output' in step || step.code !== undefined ? undefined : action?.outcome;
  const code = step.code ?? outcome?.code ?? 200;
  let output = 'output' in step ? fillTemplates(step.output, task, run) : outcome?.output;
  if (output === undefined) output = improviseResult(task, run, action);
  // Public clients accept null only for a goto.
  const isNull = action?.name === 'goto' && step.output === null;
  const isGiven = 'output' in step || outcome !== undefined;
  const isRaw = isGiven && (code !== 200 || !action || isNull);
  const payload = { code, output: isRaw ? output : wrapResult(task.organisation, action, output, step) };
  if (action) {
    action.answered = true;
    delete action.outcome;
  }
  // The agent has failed: skip its remaining steps for this action.
  if (code !== 200 && run.action === id) run.cursor = run.steps.length - 1;
  emit(task, step.id, { id, name: action?.event ?? 'browser_action', payload });
}

/**
 * The `output` of an action's result with code 200. Existing clients expect `{output?, credits_used,
 * duration}` around the value; the dialect `event.result-shape: bare` sends the value alone.
 */
function wrapResult(
  organisation: Organisation,
  action: Action | undefined,
  value: unknown,
  numbers: { credits_used?: number; duration?: number; bare?: boolean },
): unknown {
  const credits_used = numbers.credits_used ?? (action?.name === 'run_task' ? 1 : 0);
  if (action) action.credits_used = credits_used;
  if (numbers.bare || organisation.dialect['event.result-shape'] === 'bare') return value ?? null;
  const duration =
    numbers.duration ?? Math.max(0, organisation.now - (action?.at ?? organisation.now)) / 1000;
  if (action?.name === 'goto') return { credits_used, duration };
  return { output: value ?? null, credits_used, duration };
}

/** The result of an action without a scripted result. `run` is the timeline that performs it. */
function improviseResult(task: Task, run: Run, action: Action | undefined): unknown {
  const { organisation } = task;
  switch (action?.name) {
    case 'extract':
      return extractData(organisation, buildPage(task, action), action.input.schema ?? {});
    case 'run_task': {
      const { task: text, response_model: model } = action.input;
      const calls = Object.values(run.ids).flatMap((id) => task.calls?.get(id) ?? []);
      const outcomeInput = { task: String(text), model, calls };
      return improviseOutcome(organisation.setup.getGenerators(), outcomeInput, organisation.random);
    }
    case 'close':
      return true;
    default:
      return null;
  }
}

function emit(
  task: Task,
  stepId: string | undefined,
  event: Omit<TaskEvent, 'timestamp'>,
  timestamp?: number,
): void {
  const isShared =
    task.log.length > 0 && task.organisation.network.steps.fireVerb('same-instant', task, stepId);
  const shared = isShared && task.log.last > 0 ? task.log.last : undefined;
  logEvent(task, event, timestamp ?? shared);
}

const WHOLE = /^\{\{\s*([\w.-]+)\s*\}\}$/;
const PARTS = /\{\{\s*([\w.-]+)\s*\}\}/g;

/**
 * Fills `{{step.field}}` in the texts of a scripted value: `{{first.output.temp_c}}` is part of the client's
 * reply to the call of step `first`, `{{open.input.url}}` is part of the client's action of step `open`. A
 * text that consists of one placeholder becomes the value itself. A placeholder without a referent remains,
 * so that the error is visible. A value without placeholders is returned itself, not as a copy.
 */
function fillTemplates(value: unknown, task: Task, run: Run): unknown {
  if (typeof value === 'string') return value.includes('{{') ? fillText(value, task, run) : value;
  if (Array.isArray(value)) return value.map((item) => fillTemplates(item, task, run));
  if (value === null || typeof value !== 'object') return value;
  let filled: Record<string, unknown> | undefined;
  for (const key of Object.keys(value)) {
    const item = (value as Record<string, unknown>)[key];
    const now = fillTemplates(item, task, run);
    if (now === item) continue;
    filled ??= { ...value };
    filled[key] = now;
  }
  return filled ?? value;
}

function fillText(text: string, task: Task, run: Run): unknown {
  const whole = WHOLE.exec(text);
  if (whole) {
    const found = findValue(whole[1]!, task, run);
    return found === undefined ? text : found;
  }
  return text.replace(PARTS, (place, path: string) => {
    const found = findValue(path, task, run);
    if (found === undefined) return place;
    return typeof found === 'string' ? found : JSON.stringify(found);
  });
}

function findValue(path: string, task: Task, run: Run): unknown {
  const [step, ...fields] = path.split('.');
  const id = run.ids[step!];
  if (id === undefined) return undefined;
  let found: unknown = task.calls?.get(id)?.reply ?? task.actions?.get(id);
  for (const field of fields) {
    if (found === null || typeof found !== 'object' || !Object.hasOwn(found, field)) return undefined;
    found = (found as Record<string, unknown>)[field];
  }
  return found;
}
