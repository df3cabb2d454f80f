import type { RequirementId } from '../../../spec/generated/documents.js';
import { isActive, type ResultCode, type TaskEvent } from '../../../spec/vocabulary.js';
import { JSON_VALUES, UNUSUAL_TOOL_NAMES } from '../../common/interesting-values.js';
import { readField, show } from '../../conversation/json.js';
import { type ApiResponse, summarize } from '../http-client/response.js';
import { expectResult, IN_TIME, readTask, reportMissedEvent } from './await-events.js';
import { readTaskId, type TaskHandle } from './read-task.js';
import type { TestContext } from './test-context.js';
import type { Purpose } from './texts.js';

/** Common steps of cases that act as a client; each step records its evidence. */

/** From this duration on, ms, the service seems to use long polls, and fewer polls are sent. */
export const LONG_MS = 5000;

/** An action that every session supports. */
export const SCRIPT = { js: 'return 1' };

/** A result of the tool get_weather. Any value is an output. */
export function createWeather(t: TestContext): ToolResult {
  return { code: 200, output: { temp_c: 21, note: t.pick(JSON_VALUES) } };
}

interface ToolResult {
  code: ResultCode;
  output: unknown;
}

/** Creates a task. `requirement`: states that such a request is accepted. */
export async function expectTask(
  t: TestContext,
  request: Readonly<Record<string, unknown>>,
  requirement: RequirementId,
): Promise<TaskHandle> {
  const created = await t.send('createTask', { body: request });
  const id = readTaskId(created);
  if (id === undefined && [401, 403, 429].includes(created.status))
    return t.inconclusive(`the response to POST /task was ${summarize(created)}`);
  const message = `POST /task with ${show(request)}: expected a task, got ${summarize(created)}`;
  t.expect(requirement, id !== undefined, message, created);
  return id === undefined ? t.inconclusive(message) : t.adoptTask(created, id);
}

/** With a tool of an unusual name, if the service accepts it. */
export async function createWeatherTask(t: TestContext, purpose: Purpose = 'tool-call'): Promise<TaskHandle> {
  const [task, tool, name] = [t.text(purpose), t.tool('get_weather'), t.pick(UNUSUAL_TOOL_NAMES)];
  if (task.includes('get_weather') && tool.name === 'get_weather') {
    const body = { task: task.replaceAll('get_weather', name), custom_tools: [{ ...tool, name }] };
    const created = await t.send('createTask', t.amend('createTask', { body, mayBeRefused: true }));
    const id = readTaskId(created);
    if (id !== undefined) return t.adoptTask(created, id);
  }
  return t.createTask({ task, custom_tools: [tool] });
}

/** Polls up to `count` times with growing pauses; fewer times for long polls. */
export async function* pollRepeatedly(
  t: TestContext,
  task: TaskHandle,
  times: number,
): AsyncGenerator<ApiResponse> {
  const began = t.now();
  for (let i = 1; i <= times && (i === 1 || t.now() - began < LONG_MS); i++) {
    await t.sleep(t.settings.pollIntervalMs * i);
    yield await t.poll(task);
  }
}

/** Polls without news after which the results of many actions are awaited one by one. */
const MOST_QUIET_POLLS = 2;
/** The longest pause for the results of many actions, in poll intervals. */
const LONGEST_PAUSE = 16;

/** Polls ever more rarely, until so many events came or no more come: a poll for each of many results costs too much. */
export async function pollForMany(t: TestContext, session: TaskHandle, count: number): Promise<void> {
  const { pollIntervalMs } = t.settings;
  const known = session.events.length;
  for (let quiet = 0, pause = 1; isActive(session.status) && quiet < MOST_QUIET_POLLS; ) {
    const { length } = session.events;
    if (length - known >= count) return;
    await t.sleep(pollIntervalMs * pause);
    await t.poll(session);
    quiet = session.events.length > length ? 0 : quiet + 1;
    pause = Math.min(pause * 2, LONGEST_PAUSE);
  }
}

/** A one-shot task without tool calls to reply to has to end. */
export async function expectCompletion(
  t: TestContext,
  task: TaskHandle,
  timeoutMs?: number,
): Promise<boolean> {
  const over = await t.pollUntilEnd(task, timeoutMs);
  if (!over && (await reportMissedEvent(t, task)))
    return t.inconclusive('the task may wait for the reply to an event that polls did not list');
  // With another status it has ended, and its last content cannot be read.
  const lastReply = task.last?.status === 202 ? task.lastReply : undefined;
  const after = lastReply === undefined ? '' : `after ${lastReply}, which was confirmed: `;
  const message = `${after}expected the task to end ${IN_TIME}; the response to the last poll was ${summarize(task.last)}`;
  const about = lastReply === undefined ? 'SERVICE-01' : (['TOOL-09', 'SERVICE-01'] as const);
  if (!t.expectInTime(task, about, over, message, task.created, task.last)) return false;
  await expectStillKnown(t, task);
  return true;
}

/** After a confirmed reply and a whole wait without a call, the task has to be over: in a further wait, the service may give up the call. */
export async function expectNoStall(t: TestContext, task: TaskHandle): Promise<void> {
  if (isActive(task.status) && task.lastReply !== undefined) await expectCompletion(t, task, 0);
}

/** A terminal task is still available a moment later. */
export async function expectStillKnown(t: TestContext, task: TaskHandle): Promise<void> {
  await t.sleep(t.settings.pollIntervalMs);
  const { response } = await readTask(t, task, { event_t: task.event_t });
  const gone = response.status === 404 || response.status === 410;
  const message = `the task was ${task.status} a moment ago: expected the id ${show(task.id)} to be known still, got ${summarize(response)}`;
  if (gone) t.fail('TASK-01', message, task.last, response);
}

/**
 * Sends an event that has to be confirmed with an id. `also`: further requirements that its acceptance meets. Returns false
 * without evidence if the task was already over.
 */
export async function expectConfirmed(
  t: TestContext,
  task: TaskHandle,
  response: ApiResponse,
  what: string,
  ...also: RequirementId[]
): Promise<boolean> {
  if (!response.ok) {
    await t.poll(task);
    if (!isActive(task.status)) return false;
    if (response.status === 429) t.inconclusive(`the response to ${what} was ${summarize(response)}`);
    if (response.status === 404) {
      const message = `${what}: expected the id ${show(task.id)} to be known, as polls find it, got ${summarize(response)}`;
      t.fail('TASK-01', message, task.last, response);
    }
  }
  const message = `${what}: expected it to be accepted, got ${summarize(response)}`;
  t.expect(also, response.ok, message, response);
  const id = readField(response.r, 'id');
  const good = response.ok && typeof id === 'string' && id !== '';
  const expected = `${what}: expected success with {"r": {"id": a text}}, got ${summarize(response)}`;
  t.expect('EVENT-03', good, expected, response);
  return response.ok;
}

/** Every service takes an output of so many characters. */
const SMALL_REPLY = 1000;

/** Replies to a call; the reply has to be confirmed. */
export async function sendReply(
  t: TestContext,
  task: TaskHandle,
  call: TaskEvent,
  { code, output }: ToolResult,
  ...also: RequirementId[]
): Promise<boolean> {
  const response = await t.reply(task, call.id, code, output);
  const size = JSON.stringify(output ?? null).length;
  if (response.status === 413 && size > SMALL_REPLY)
    t.inconclusive(`the service takes no output of ${size} characters, and no limit is stated`);
  const what = `a reply of ${code} with output ${show(output)}`;
  const isConfirmed = await expectConfirmed(t, task, response, what, ...also);
  if (isConfirmed && code === 200) task.lastReply = what;
  return isConfirmed;
}

/** Opens a session with the configured page, and waits until it runs. */
export async function openSession(t: TestContext): Promise<TaskHandle> {
  const session = await t.createTask({ task: null, url: t.text('page') });
  // It may queue first. Later steps show a session that never runs.
  await t.pollUntil(session, ({ status }) => status === 'running');
  return session;
}

/** The same, but the session has to run: requests to a queued session are an open point. */
export async function openRunningSession(t: TestContext): Promise<TaskHandle> {
  const session = await openSession(t);
  return session.status === 'running' ? session : t.inconclusive('a new session does not run');
}

/**
 * Sends an action that has to be confirmed and to get its own result with its id and name. Returns undefined without a result.
 */
export async function expectAction(
  t: TestContext,
  session: TaskHandle,
  name: string,
  input: Record<string, unknown> | undefined,
  requirement: RequirementId,
): Promise<TaskEvent | undefined> {
  const { id, response } = await t.act(session, name, input);
  const what = `${name} ${input === undefined ? '' : show(input)}`.trim();
  const refused = response.ok ? [] : [requirement];
  if (!(await expectConfirmed(t, session, response, what, ...refused))) return undefined;
  return expectResult(t, session, { id, what, sent: response }, requirement);
}

/** Cancels an active task. Inconclusive if it has already ended. */
export async function cancelActive(t: TestContext, task: TaskHandle): Promise<boolean> {
  await t.pollUntil(task, ({ status }) => status !== 'waiting');
  const deleted = await t.cancel(task);
  await t.pollUntilEnd(task);
  if (!isActive(task.status) && task.status !== 'cancelled')
    return t.inconclusive(`the task ended as ${task.status} before it could be stopped`);
  const message = `DELETE of a task at work: expected success and the status cancelled, got ${summarize(deleted)} and then ${summarize(task.last)}`;
  const isCancelled = deleted.ok && task.status === 'cancelled';
  return t.expect(['TASK-13', 'TASK-17'], isCancelled, message, deleted, task.last);
}

/** A cancelled task is found again as cancelled. */
export async function expectCancelled(t: TestContext, task: TaskHandle): Promise<void> {
  for await (const response of pollRepeatedly(t, task, 3)) {
    const message = `expected a cancelled task to stay cancelled, got ${summarize(response)}`;
    t.expect('TASK-13', task.status === 'cancelled' && response.ok, message, response);
  }
}
