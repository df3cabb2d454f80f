import { EVENT_NAMES, isTerminal, TASK_STATUSES, type TaskStatus } from '../../../../spec/vocabulary.js';
import { readField, toFields } from '../../../conversation/json.js';
import { IDLE_MS } from '../../../rules/service/sessions.js';
import type { ApiResponse } from '../../http-client/response.js';
import { ADDRESS, THROWING } from '../../operations/collect-facts.js';
import type { Command } from '../../operations/command.js';
import { isImpossible } from '../../operations/events.js';
import type { ConfirmedAction, FollowedTask, Resource } from '../../operations/observed.js';
import {
  createEventKey,
  isActionResult,
  isCall,
  readCode,
  readEvents,
  readStatus,
} from '../../test-case/read-task.js';
import type { SequenceNames } from '../sequence/names.js';
import type { ModelAccounts } from './model.js';

/**
 * Applies what a poll shows of the agent to the model: events with their ids and times, the running status, and the end of the
 * task. Steps that the model rejects are skipped; the next comparison shows them as a difference.
 */
export async function followTask(
  resource: Resource,
  polled: ApiResponse,
  service: SequenceNames,
  model: { accounts: ModelAccounts; names: SequenceNames },
): Promise<void> {
  const { task, label } = resource;
  const task_id = String(model.names.get(`${label}.task_id`));
  if (!task || readField(polled.r, 'id') !== service.get(`${label}.task_id`)) return;
  const applyStep = (step: Readonly<Record<string, unknown>>) => model.accounts.applyStep(task_id, step);
  const status = readStatus(polled) as TaskStatus | undefined;
  if (status === undefined || !TASK_STATUSES.includes(status)) return;
  if (status === 'cancelled') task.isEndUnseen = false;
  if (
    task.status === 'waiting' &&
    status !== 'waiting' &&
    (await applyStep({ service: 'status', status: 'running' }))
  )
    task.status = 'running';
  const reused = findRepeated(task.actions.map((each) => service.fillText(each)));
  for (const { id, isRepliedAgain } of task.calls) if (isRepliedAgain) reused.add(id);
  const inPoll = new Map<string, number>();
  let hasProgressed = false;
  for (const event of readEvents(polled)) {
    const { id, name, payload, timestamp } = event;
    const key = createEventKey(event);
    const at = `${key} ${timestamp}`;
    const number = (inPoll.get(at) ?? 0) + 1;
    inPoll.set(at, number);
    // An id that was sent twice may have two results, and both replies to a call may be listed.
    const isSeen = task.seen.has(reused.has(id) ? `${at} ${number}` : key);
    for (const each of [key, `${at} ${number}`]) task.seen.add(each);
    // A poll that was sent concurrently with the action may have shown the result before the action was recorded.
    for (const action of task.sent)
      if (isActionResult(event, action.id)) {
        hasProgressed ||= !action.isDone;
        action.isDone = true;
        action.hasSucceeded = readCode(event) === 200;
      }
    if (isSeen) continue;
    const isKnown = EVENT_NAMES.includes(name) && toFields(payload) !== undefined;
    const step = { service: 'event', name, payload, event_id: id, timestamp };
    if (!isKnown || !(await applyStep(step))) {
      task.hasUnappliedEvents = true;
      continue;
    }
    const names = { [`event_${++task.times}`]: timestamp };
    if (isCall(event)) {
      task.calls.push({ id, tool: String(readField(payload, 'name')) });
      Object.assign(names, { [`call_${task.calls.length}`]: id });
    }
    for (const side of [service, model.names]) side.set(label, names as Record<string, string | number>);
  }
  // A session may do one action after the other.
  if (hasProgressed) for (const action of task.sent) if (!action.isDone) action.waitedMs = 0;
  if (!isTerminal(task.status as TaskStatus) && isTerminal(status)) {
    const { output = null, credits_used } = toFields(polled.r) ?? {};
    const credits = Number.isSafeInteger(credits_used) ? { credits_used } : {};
    if (await applyStep({ service: 'finish', status, output, at_once: true, ...credits }))
      task.status = status;
  }
  resource.state = determineState(resource.state, task);
}

function findRepeated<T>(items: readonly T[]): Set<T> {
  const known = new Set<T>();
  return new Set(items.filter((item) => known.size === known.add(item).size));
}

/** Records the effect on the task of a request that both sides accepted. `response`: of the service. */
export function recordSent(
  command: Command,
  resource: Resource | undefined,
  names: SequenceNames,
  response: ApiResponse,
): void {
  const { operation, body, astray } = command;
  const task = astray === undefined ? resource?.task : undefined;
  if (!task || !resource || resource.state === 'gone') return;
  if (operation === 'deleteTask') task.isClosed = true;
  if (operation === 'deleteTask' && !isTerminal(task.status as TaskStatus)) {
    task.status = 'cancelled';
    const mayHaveEnded = (resource.waitedMs ?? 0) >= IDLE_MS;
    task.isEndUnseen = !task.isSession || resource.state === 'closing' || mayHaveEnded;
  }
  if (operation === 'sendTaskEvent' || operation === 'updateTask') {
    const payload = readField(body, 'payload');
    const id = readField(operation === 'updateTask' ? readField(body, 'tool_response') : body, 'id');
    const named = typeof id === 'string' ? names.fillText(id) : undefined;
    const call = task.calls.find((each) => each.id === named);
    if (call?.repliedBy) call.isRepliedAgain = true;
    if (call) call.repliedBy ??= operation;
    else if (typeof id === 'string') task.actions.push(id);
    if (operation === 'sendTaskEvent' && task.isSession && resource.state === 'session')
      recordAction(task, named || readChosenId(response), command, payload);
    if (readField(payload, 'name') === 'close') task.isClosed = true;
    if (readField(payload, 'name') === 'close' && readField(body, 'name') === 'session_action')
      resource.state = 'closing';
  }
  resource.state = determineState(resource.state, task);
}

/** The service chooses an id if the client sent none. */
function readChosenId({ r }: ApiResponse): string {
  const id = readField(r, 'id');
  return typeof id === 'string' ? id : '';
}

function recordAction(
  { sent, startPage }: FollowedTask,
  id: string,
  { body, condition }: Command,
  payload: unknown,
): void {
  if (readField(body, 'name') === 'tool_call') return;
  const name = String(readField(payload, 'name'));
  const before = sent.find((each) => each.id === id);
  if (before) {
    // A result with this id may belong to either action.
    before.isValid = false;
    before.isReused = true;
  }
  if (before || id === '') {
    // It may have changed the page of the session, and no result shows whether it did.
    if (NAVIGATING.has(name))
      sent.push({ id: '', name, isValid: false, isReused: true, isDone: true, waitedMs: 0 });
    return;
  }
  const js = readField(readField(payload, 'input'), 'js');
  const url = readField(readField(payload, 'input'), 'url');
  const isValid = !isImpossible({ condition }) && js !== THROWING;
  sent.push({
    id,
    name,
    isValid,
    isDone: false,
    waitedMs: 0,
    ...(typeof js === 'string' && { js }),
    ...(name === 'goto' && typeof url === 'string' && { url }),
    ...(js === ADDRESS && findPage(sent, startPage)),
  });
}

/** Actions that change the page of a session. */
const NAVIGATING: ReadonlySet<string> = new Set(['goto', 'run_task']);

/**
 * The expected page after the actions so far: the address of the last goto. Unknown if a task may have left it since, or while one
 * is at work: in which order actions at work are carried out is not stated.
 */
function findPage(
  sent: readonly ConfirmedAction[],
  startPage: string | undefined,
): Pick<ConfirmedAction, 'expectedUrl' | 'after'> {
  const last = sent.findLast(({ name, isValid, isReused }) => NAVIGATING.has(name) && (isValid || isReused));
  const url = last ? last.url : startPage;
  if (url === undefined || last?.isReused || (last && !last.isDone)) return {};
  return { expectedUrl: new URL(url).href, ...(last && { after: last }) };
}

function determineState(state: string, task: FollowedTask): string {
  if (state === 'gone') return state;
  if (isTerminal(task.status as TaskStatus)) return 'over';
  if (!task.isSession) return task.calls.some(({ repliedBy }) => !repliedBy) ? 'waiting' : 'one-shot';
  return state === 'closing' ? state : 'session';
}
