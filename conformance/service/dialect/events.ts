import type { DialectChoices } from '../../../spec/generated/documents.js';
import { isActive, type TaskEvent } from '../../../spec/vocabulary.js';
import { readField } from '../../conversation/json.js';
import type { ApiResponse } from '../http-client/response.js';
import { readCode, readEvents, type TaskHandle } from '../test-case/read-task.js';
import { createWeatherTask, openRunningSession } from '../test-case/task-steps.js';
import type { TestContext } from '../test-case/test-context.js';
import {
  createGoto,
  findTaskIndex,
  MAX_TASKS,
  type Observation,
  observeResponse,
  readList,
} from './observe.js';

const SUM = { name: 'evaluate_js', input: { js: '1 + 1' } };
const THROW = { name: 'evaluate_js', input: { js: 'throw new Error("on purpose")' } };

export const actions: Observation = {
  id: 'sessions/point-actions',
  title: 'The shape of a result, and the responses to repeated and incomplete actions',
  operations: ['createTask', 'sendTaskEvent', 'getTask'],
  tasks: 1,
  async run(t) {
    const session = await openRunningSession(t);
    const [name, input] = createGoto(t);
    const first = { id: t.unique(), payload: { name, input }, timestamp: t.now() };
    const sent = await sendEvent(t, session, first);
    if (!sent.ok || !(await t.awaitResult(session, first.id))) return;

    const again = await sendEvent(t, session, first);
    const withoutId = await sendEvent(t, session, { payload: SUM, timestamp: t.now() });
    if (!withoutId.ok || typeof readField(withoutId.r, 'id') === 'string')
      observeResponse(t, 'event.missing-id', withoutId);
    const withoutTimestamp = await sendEvent(t, session, { id: t.unique(), payload: SUM });
    observeResponse(t, 'event.missing-timestamp', withoutTimestamp);
    const event = { id: t.unique(), name: 'browser_action', payload: SUM, timestamp: t.now() };
    const raw = { content: JSON.stringify(event), type: 'text/plain' };
    const asText = await t.send('sendTaskEvent', { path: { task_id: session.id }, raw, mayBeRefused: true });
    observeResponse(t, 'errors.content-type', asText);

    const thrown = await t.act(session, THROW.name, THROW.input);
    // A browser performs actions in order: the result of this one shows that the earlier ones are done.
    const last = await t.act(session, SUM.name, SUM.input);
    const value = await t.awaitResult(session, last.id);
    if (value) t.observe('event.result-shape', classifyShape(value));
    await t.sleep(4 * t.settings.pollIntervalMs);
    const query = { event_t: 0 };
    const events = readEvents(await t.send('getTask', { path: { task_id: session.id }, query }));
    const [failed] = listResults(events, thrown.id);
    const code = failed && readCode(failed);
    if (code === 400 || code === 500) t.observe('event.script-error', `${code}`);
    const times = listResults(events, first.id).length;
    if (times === 0) return;
    const isEchoed = events.some((event) => event.id === first.id && readCode(event) === undefined);
    t.observe('event.echo', isEchoed ? 'plain' : 'none');
    if (again.status === 400) t.observe('event.id-reuse', 'refused-400');
    if (again.ok && value) t.observe('event.id-reuse', times > 1 ? 'accepted' : 'same-answer');
  },
};

/** Poll interval after a close, ms, short enough to see what happens before the end. */
const STEP_MS = 100;
/** Duration of these polls, ms. For a later end, the events just before it are unknown. */
const CLOSELY_MS = 4000;

export const close: Observation = {
  id: 'sessions/point-close',
  title: 'How a closed session ends, and the responses to later requests',
  operations: ['createTask', 'sendTaskEvent', 'getTask', 'deleteTask'],
  tasks: 1,
  async run(t) {
    const session = await openRunningSession(t);
    await t.act(session, ...createGoto(t));
    const { id, response: closing } = await t.act(session, 'close');
    if (!closing.ok) return;

    const hasResult = () => listResults(session.events, id).length > 0;
    const isSettled = () => hasResult() || isOver(session);
    const until = t.now() + CLOSELY_MS;
    while (!isSettled() && t.now() < until) {
      await t.poll(session);
      await t.sleep(STEP_MS);
    }
    const isWatched = isSettled();
    if (!isWatched) await t.pollUntil(session, hasResult);
    const wasOver = isOver(session);
    const choice = !hasResult() ? undefined : wasOver ? 'with' : 'before';
    if (!wasOver) await t.pollUntilEnd(session);
    if (!isOver(session)) return;
    if (isWatched || choice === 'before') t.observe('event.result-with-terminal', choice);
    const { status } = session;
    if (status === 'done' || status === 'cancelled') t.observe('session.status-after-close', status);
    observeResponse(
      t,
      'session.event-after-close',
      (await t.act(session, ...createGoto(t), { mayBeRefused: true })).response,
    );
    const deleted = await t.send('deleteTask', { path: { task_id: session.id }, mayBeRefused: true });
    observeResponse(t, 'task.delete-finished', deleted);
    // A rule checks that the status does not change.
    await t.poll(session);
  },
};

/** A task that waits for a reply is certainly running, and after DELETE it is certainly over. */
export const replies: Observation = {
  id: 'tool-calls/point-replies',
  title: 'The responses of a one-shot task to events that it does not use',
  operations: ['createTask', 'getTask', 'sendTaskEvent', 'listTasks', 'deleteTask'],
  tasks: 1,
  async run(t) {
    const task = await createWeatherTask(t);
    const call = await t.nextToolCall(task);
    if (!call) return;
    const may = { mayBeRefused: true } as const;
    const sendReply = (id: string, code: number) => t.reply(task, id, code, 'x', may);
    observeResponse(t, 'event.action-to-one-shot', (await t.act(task, ...createGoto(t), may)).response);
    observeResponse(t, 'event.unknown-tool-reply', await sendReply(t.unique(), 200));
    observeResponse(t, 'event.odd-reply-code', await sendReply(call.id, 501));
    const first = await sendReply(call.id, 200);
    const second = await sendReply(call.id, 200);
    if (first.ok) await observeRepeated(t, task, second);

    await t.cancel(task);
    if (!(await t.pollUntilEnd(task))) return;
    observeResponse(t, 'event.to-finished-task', await sendReply(call.id, 200));
  },
};

/** A refusal is caused by the repetition only if the task was still running. */
async function observeRepeated(t: TestContext, task: TaskHandle, second: ApiResponse): Promise<void> {
  if (second.ok) return t.observe('event.reply-repeated', 'first-counts');
  const list = await t.send('listTasks', { query: { l: MAX_TASKS } });
  if (readField(readList(list)[findTaskIndex(list, task)], 'status') !== 'running') return;
  observeResponse(t, 'event.reply-repeated', second);
}

/** POST /task/{task_id}/event with the given fields. */
function sendEvent(
  t: TestContext,
  task: TaskHandle,
  event: { id?: string; payload: object; timestamp?: number },
): Promise<ApiResponse> {
  const body = { name: 'browser_action', ...event };
  return t.send('sendTaskEvent', { path: { task_id: task.id }, body, key: task.key, mayBeRefused: true });
}

function isOver({ status }: TaskHandle): boolean {
  return !isActive(status);
}

/** Results of an action among events; an echo has no code. */
export function listResults(events: readonly TaskEvent[], action: string): TaskEvent[] {
  return events.filter((event) => event.id === action && readCode(event) !== undefined);
}

/** For the result of a script whose value is not an object. */
function classifyShape(result: TaskEvent): DialectChoices['event.result-shape'] | undefined {
  if (readCode(result) !== 200) return undefined;
  const output = readField(result.payload, 'output');
  if (output === null || typeof output !== 'object') return output === undefined ? undefined : 'bare';
  const cost = readField(output, 'credits_used') ?? readField(output, 'duration');
  return readField(output, 'output') !== undefined && cost !== undefined ? 'wrapped' : undefined;
}
