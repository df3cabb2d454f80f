import { EVENT_NAMES, isTerminal, TASK_STATUSES, type TaskStatus } from '../../../../spec/vocabulary.js';
import { asFields, field } from '../../../conversation/json.js';
import type { ApiResponse } from '../../http-client/response.js';
import { codeOf, eventKey, eventsOf, isCall, isResultOf, statusOf } from '../../test-case/read-task.js';
import type { Names } from '../sequence/names.js';
import type { Command } from '../sequence/sequence.js';
import type { FollowedTask, SentAction, Thing } from '../sequence/things.js';
import type { ModelAccounts } from './model.js';

/**
 * Tells the model what the agent of the service did, as the response to a poll shows it: its events with their ids and times, that
 * the task runs, and how it ended. What the model does not allow is left, and shows as a difference.
 */
export async function followTask(
  thing: Thing,
  polled: ApiResponse,
  service: Names,
  model: { accounts: ModelAccounts; names: Names },
): Promise<void> {
  const { task, label } = thing;
  const task_id = String(model.names.get(`${label}.task_id`));
  if (!task || field(polled.r, 'id') !== service.get(`${label}.task_id`)) return;
  const tell = (step: Readonly<Record<string, unknown>>) => model.accounts.tell(task_id, step);
  const status = statusOf(polled) as TaskStatus | undefined;
  if (status === undefined || !TASK_STATUSES.includes(status)) return;
  if (status === 'cancelled') task.isEndUnseen = false;
  if (
    task.status === 'waiting' &&
    status !== 'waiting' &&
    (await tell({ service: 'status', status: 'running' }))
  )
    task.status = 'running';
  const inPoll = new Map<string, number>();
  for (const event of eventsOf(polled)) {
    const { id, name, payload, timestamp } = event;
    const key = eventKey(event);
    const at = `${key} ${timestamp}`;
    const number = (inPoll.get(at) ?? 0) + 1;
    inPoll.set(at, number);
    // Where an id was sent twice, there may be two results.
    const isReused = task.actions.filter((each) => service.text(each) === id).length > 1;
    const isSeen = task.seen.has(isReused ? `${at} ${number}` : key);
    for (const each of [key, `${at} ${number}`]) task.seen.add(each);
    // A poll that was sent at once with the action may have shown the result before the action was noted.
    for (const action of task.sent)
      if (isResultOf(event, action.id)) {
        action.isDone = true;
        action.hasSucceeded = codeOf(event) === 200;
      }
    if (isSeen) continue;
    const isKnown = EVENT_NAMES.includes(name) && asFields(payload) !== undefined;
    const step = { service: 'event', name, payload, event_id: id, timestamp };
    if (!isKnown || !(await tell(step))) {
      task.isUntold = true;
      continue;
    }
    const names = { [`event_${++task.times}`]: timestamp };
    if (isCall(event)) {
      task.calls.push({ id, tool: String(field(payload, 'name')), isReplied: false });
      Object.assign(names, { [`call_${task.calls.length}`]: id });
    }
    for (const side of [service, model.names]) side.set(label, names as Record<string, string | number>);
  }
  if (!isTerminal(task.status as TaskStatus) && isTerminal(status)) {
    const { output = null, credits_used } = asFields(polled.r) ?? {};
    const credits = Number.isSafeInteger(credits_used) ? { credits_used } : {};
    if (await tell({ service: 'finish', status, output, at_once: true, ...credits })) task.status = status;
  }
  thing.state = stateOf(thing.state, task);
}

/** Notes what a request that both sides took did to the task. `response`: of the service. */
export function noteSent(
  command: Command,
  thing: Thing | undefined,
  names: Names,
  response: ApiResponse,
): void {
  const { operation, body, astray } = command;
  const task = astray === undefined ? thing?.task : undefined;
  if (!task || !thing || thing.state === 'gone') return;
  if (operation === 'deleteTask') task.isClosed = true;
  if (operation === 'deleteTask' && !isTerminal(task.status as TaskStatus)) {
    task.status = 'cancelled';
    task.isEndUnseen = !task.isSession || thing.state === 'closing';
  }
  if (operation === 'sendTaskEvent' || operation === 'updateTask') {
    const payload = field(body, 'payload');
    const id = field(operation === 'updateTask' ? field(body, 'tool_response') : body, 'id');
    const named = typeof id === 'string' ? names.text(id) : undefined;
    const call = task.calls.find((each) => each.id === named);
    if (call) call.isReplied = true;
    else if (typeof id === 'string') task.actions.push(id);
    if (operation === 'sendTaskEvent' && thing.state === 'session')
      noteAction(task, named || chosenId(response), command, payload);
    if (field(payload, 'name') === 'close') task.isClosed = true;
    if (field(payload, 'name') === 'close' && field(body, 'name') === 'session_action')
      thing.state = 'closing';
  }
  thing.state = stateOf(thing.state, task);
}

/** Where none was sent, the service chooses one. */
function chosenId({ r }: ApiResponse): string {
  const id = field(r, 'id');
  return typeof id === 'string' ? id : '';
}

function noteAction(
  { sent, startPage }: FollowedTask,
  id: string,
  { body, condition }: Command,
  payload: unknown,
): void {
  if (field(body, 'name') === 'tool_call') return;
  const name = String(field(payload, 'name'));
  const before = sent.find((each) => each.id === id);
  if (before) {
    // A result with this id may be that of either.
    before.isValid = false;
    before.isReused = true;
  }
  if (before || id === '') {
    // It may have led the session elsewhere, and no result shows whether it has.
    if (LEADING.has(name))
      sent.push({ id: '', name, isValid: false, isReused: true, isDone: true, waitedMs: 0 });
    return;
  }
  const js = field(field(payload, 'input'), 'js');
  const url = field(field(payload, 'input'), 'url');
  const isValid = condition !== IMPOSSIBLE && !String(js).includes('throw');
  sent.push({
    id,
    name,
    isValid,
    isDone: false,
    waitedMs: 0,
    ...(typeof js === 'string' && { js }),
    ...(name === 'goto' && typeof url === 'string' && { url }),
    ...(js === ADDRESS && pageAfter(sent, startPage)),
  });
}

/** A script that tells which page the session shows. */
export const ADDRESS = 'location.href';

/** Actions that lead a session to another page. */
const LEADING: ReadonlySet<string> = new Set(['goto', 'run_task']);

/** Where the actions so far lead: to the address of the last goto, unless a task may have left it since. */
function pageAfter(
  sent: readonly SentAction[],
  startPage: string | undefined,
): Pick<SentAction, 'sees' | 'after'> {
  const last = sent.findLast(({ name, isValid, isReused }) => LEADING.has(name) && (isValid || isReused));
  const url = last ? last.url : startPage;
  if (url === undefined || last?.isReused) return {};
  return { sees: new URL(url).href, ...(last && { after: last }) };
}

/** The condition of an action that the description does not know. */
export const IMPOSSIBLE = 'an action that cannot be';

function stateOf(state: string, task: FollowedTask): string {
  if (state === 'gone') return state;
  if (isTerminal(task.status as TaskStatus)) return 'over';
  if (!task.isSession) return task.calls.some(({ isReplied }) => !isReplied) ? 'waiting' : 'one-shot';
  return state === 'closing' ? state : 'session';
}
