import type { DialectChoices } from '../../../spec/generated/documents.js';
import { isActive, type TaskEvent } from '../../../spec/vocabulary.js';
import { readField } from '../../conversation/json.js';
import type { ApiResponse } from '../http-client/response.js';
import { findListed, LONGEST_LIST, readCode, readEvents, type TaskHandle } from '../test-case/read-task.js';
import { createWeatherTask, openRunningSession } from '../test-case/task-steps.js';
import type { TestContext } from '../test-case/test-context.js';
import { createEvent, createGoto, type Observation, observeStatus, recordStatus, SUM } from './observe.js';

const THROW = { name: 'evaluate_js', input: { js: 'throw new Error("on purpose")' } };

export const actions: Observation = {
  id: 'sessions/point-actions',
  title: 'The shape of a result, and the responses to repeated and incomplete actions',
  operations: ['createTask', 'sendTaskEvent', 'getTask'],
  tasks: 1,
  async run(t) {
    const session = await openRunningSession(t);
    const [name, input] = createGoto(t);
    const first = { task_id: session.id, id: t.unique() };
    const event = createEvent(t, first, { payload: { name, input } });
    const sent = await t.send('sendTaskEvent', event);
    if (!sent.ok || !(await t.awaitResult(session, first.id))) return;

    const again = await t.send('sendTaskEvent', event);
    const about = { task_id: session.id };
    await observeStatus(t, 'event.missing-id', about, ({ r }) => typeof readField(r, 'id') === 'string');
    await observeStatus(t, 'event.missing-timestamp', about);
    await observeStatus(t, 'errors.content-type', about);

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
    await observeStatus(t, 'session.event-after-close', { task_id: session.id });
    await observeStatus(t, 'task.delete-finished', { task_id: session.id });
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
    const about = { task_id: task.id, id: call.id };
    await observeStatus(t, 'event.action-to-one-shot', { task_id: task.id });
    await observeStatus(t, 'event.unknown-tool-reply', about);
    await observeStatus(t, 'event.odd-reply-code', about);
    const sendReply = () => t.reply(task, call.id, 200, 'x', { mayBeRefused: true });
    const [first, second] = [await sendReply(), await sendReply()];
    if (first.ok) await observeRepeated(t, task, second);

    await t.cancel(task);
    if (!(await t.pollUntilEnd(task))) return;
    await observeStatus(t, 'event.to-finished-task', about);
  },
};

/** A refusal is caused by the repetition only if the task was still running. */
async function observeRepeated(t: TestContext, task: TaskHandle, second: ApiResponse): Promise<void> {
  const list = await t.send('listTasks', { query: { l: LONGEST_LIST } });
  const isRunning = readField(findListed(list, task.id), 'status') === 'running';
  if (second.ok || isRunning) recordStatus(t, 'event.reply-repeated', second);
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
