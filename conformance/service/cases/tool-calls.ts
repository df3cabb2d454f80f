import { isActive } from '../../../spec/vocabulary.js';
import { readField, show } from '../../conversation/json.js';
import { type ApiResponse, summarize } from '../http-client/response.js';
import { awaitToolCall } from '../test-case/await-events.js';
import { collectLeaves, containsText, createUnknownId, readPayload } from '../test-case/read-record.js';
import { readTaskId, type TaskHandle } from '../test-case/read-task.js';
import { readUntil } from '../test-case/requests.js';
import {
  cancelActive,
  createWeather,
  createWeatherTask,
  expectCancelled,
  expectCompletion,
  pollRepeatedly,
  sendReply,
} from '../test-case/task-steps.js';
import type { TestCase } from '../test-case/test-case.js';
import type { TestContext } from '../test-case/test-context.js';

/** Requirements that rules check in any conversation with calls. */
const CALLS = ['TOOL-01', 'TOOL-02', 'TOOL-11', 'EVENT-01', 'EVENT-09'] as const;
/** Maximum number of calls that are replied to. */
const MOST_CALLS = 20;
const CALLING = ['createTask', 'getTask', 'sendTaskEvent'] as const;

const unanswered: TestCase = {
  id: 'tool-calls/left-waiting',
  title: 'A task waits for the reply to a call and accepts it; a second reply does no harm',
  covers: [...CALLS, 'EVENT-03', 'POLL-02', 'POLL-08', 'SERVICE-01'],
  operations: CALLING,
  tasks: 1,
  async run(t) {
    const task = await createWeatherTask(t, 'tool-calls');
    const call = await awaitToolCall(t, task);
    for await (const _ of pollRepeatedly(t, task, 4)) if (!isActive(task.status)) return;
    const weather = createWeather(t);
    if (!(await sendReply(t, task, call, weather))) return;
    // The response to it is open; the agent has its reply.
    await t.reply(task, call.id, weather.code, weather.output, { mayBeRefused: true });
    await replyToAll(t, task);
    if (!(await expectCompletion(t, task))) return;
    // Neither does a reply after the end.
    await t.reply(task, call.id, weather.code, weather.output, { mayBeRefused: true });
    for await (const _ of pollRepeatedly(t, task, 2));
  },
};

/** Replies to every call until the task is over. */
async function replyToAll(t: TestContext, task: TaskHandle): Promise<void> {
  for (let calls = 0; calls < MOST_CALLS; calls++) {
    const call = await t.nextToolCall(task);
    if (!call) return;
    await sendReply(t, task, call, createWeather(t));
  }
}

const stopped: TestCase = {
  id: 'tool-calls/stopped-in-a-call',
  title: 'DELETE cancels a task that waits for a reply, and a late reply does not change that',
  covers: ['TASK-13', 'TASK-17', 'POLL-08'],
  parts: ['tools'],
  operations: [...CALLING, 'deleteTask'],
  tasks: 1,
  async run(t) {
    const task = await createWeatherTask(t, 'tool-calls');
    const call = await awaitToolCall(t, task);
    if (!(await cancelActive(t, task))) return;
    const { code, output } = createWeather(t);
    await t.reply(task, call.id, code, output, { mayBeRefused: true });
    await expectCancelled(t, task);
  },
};

const corrected: TestCase = {
  id: 'tool-calls/valid-after-refused',
  title: 'A call whose reply was refused is still open for a valid one',
  covers: ['TOOL-09', 'EVENT-03'],
  parts: ['tools'],
  operations: CALLING,
  tasks: 1,
  async run(t) {
    const task = await createWeatherTask(t);
    const call = await awaitToolCall(t, task);
    const refused = await t.reply(task, call.id, 600, 'no such code', { mayBeRefused: true });
    if (refused.ok || refused.status >= 500)
      return t.inconclusive(`a reply with the code 600 is not refused: ${summarize(refused)}`);
    if (await sendReply(t, task, call, createWeather(t), 'TOOL-09')) await replyToAll(t, task);
  },
};

/** Tools with inputs that no other one of them fits. */
const DIFFERENT_TOOLS = [
  { name: 'read_page', property: 'page', type: 'integer' },
  { name: 'save_title', property: 'title', type: 'string' },
  { name: 'set_switch', property: 'on', type: 'boolean' },
  { name: 'list_marks', property: 'marks', type: 'array' },
].map(({ name, property, type }) => ({
  name,
  description: `Takes the ${property} of a note.`,
  inputs: { type: 'object', properties: { [property]: { type } }, required: [property] },
  output: 'A short text.',
}));

/** With as many of the tools as a service accepts: how many a task may have is open. */
async function createToolTask(
  t: TestContext,
  tools: readonly (typeof DIFFERENT_TOOLS)[number][],
): Promise<TaskHandle | undefined> {
  for (let count = tools.length; count > 0; count--) {
    const body = { task: t.text('tool-each'), custom_tools: tools.slice(0, count) };
    const created = await t.send('createTask', t.amend('createTask', { body, mayBeRefused: true }));
    const id = readTaskId(created);
    if (id !== undefined) return t.adoptTask(created, id);
  }
  return undefined;
}

/** A reply with the id of a call, sent to another task, replies to no call: the task still takes its own reply. */
async function replyToOther(t: TestContext, task: TaskHandle, other: TaskHandle): Promise<void> {
  const call = await t.nextToolCall(task);
  if (!call) return;
  const { code, output } = createWeather(t);
  const known = task.events.length;
  const stray = await t.reply(other, call.id, code, output, { mayBeRefused: true });
  for await (const _ of pollRepeatedly(t, task, 2));
  const isWaiting = isActive(task.status) && task.events.length === known;
  const message = `a reply to the call "${call.id}" was sent to another task: expected the task of the call to wait for its own, got ${summarize(task.last)}`;
  t.expect('TOOL-01', isWaiting, message, stray, task.last);
  await sendReply(t, task, call, createWeather(t), 'TOOL-09');
}

const ownTools: TestCase = {
  id: 'tool-calls/tools-of-each-task',
  title: 'Each task calls its own tools, each with an input of its own schema',
  covers: CALLS,
  parts: ['tools'],
  operations: CALLING,
  tasks: 2,
  async run(t) {
    const tasks: TaskHandle[] = [];
    for (const tools of [DIFFERENT_TOOLS.slice(0, 3), DIFFERENT_TOOLS.slice(3)])
      tasks.push((await createToolTask(t, tools)) ?? (await createWeatherTask(t)));
    await replyToOther(t, tasks[0]!, tasks[1]!);
    for (const task of tasks) await replyToAll(t, task);
  },
};

const modelled: TestCase = {
  id: 'tool-calls/error-reply-with-model',
  title: 'A reply that reports an error is not the structured output of its task',
  covers: ['TASK-04', 'TOOL-05'],
  parts: ['tools', 'structured-output'],
  operations: CALLING,
  tasks: 1,
  async run(t) {
    const properties = {
      city: { type: 'string' },
      temp_c: { type: 'number' },
      unit: { enum: ['kelvin', 'celsius'] },
    };
    const response_model = { type: 'object', properties, required: ['city', 'temp_c', 'unit'] };
    const custom_tools = [t.tool('get_weather')];
    const task = await t.createTask({ task: t.text('tool-call'), custom_tools, response_model });
    const call = await awaitToolCall(t, task);
    if (!(await sendReply(t, task, call, { code: 500, output: 'The weather is not known.' }))) return;
    await replyToAll(t, task);
  },
};

const without: TestCase = {
  id: 'tool-calls/no-tools',
  title: 'A task without tools calls none',
  covers: ['TOOL-11', 'SERVICE-01'],
  operations: ['createTask', 'getTask'],
  tasks: 1,
  async run(t) {
    await expectCompletion(t, await t.createTask({ task: t.text('tool-call') }));
  },
};

export const toolDataCase: TestCase = {
  id: 'resources/tool-data',
  title: 'The data of a tool call are read without a key, until the data of its task are deleted',
  covers: ['CHAT-11', 'TASK-21'],
  parts: ['tools'],
  operations: ['createTask', 'getTask', 'sendTaskEvent', 'getToolData', 'deleteTask', 'deleteTaskData'],
  tasks: 1,
  async run(t) {
    const task = await createWeatherTask(t);
    const call = await awaitToolCall(t, task);
    await t.reply(task, call.id, 200, createWeather(t).output);
    const tool = readField(call.payload, 'name');
    if (typeof tool !== 'string' || tool === '')
      return t.inconclusive(`the call names no tool: its payload is ${show(call.payload)}`);
    const what = `GET /tool/${tool}/${call.id} without a key`;
    const readToolData = (id = call.id) => t.send('getToolData', { path: { tool, id }, key: null });
    const isFilled = (response: ApiResponse) =>
      collectLeaves(readPayload(response)).some(({ value }) => value != null);
    const keyless = await readUntil(t, readToolData, (response) => !response.ok || isFilled(response));
    const keyed = await t.send('getToolData', { path: { tool, id: call.id } });
    await t.cancel(task);
    const got = summarize(keyless);
    const closed = `${what}: expected a success as with a key, got ${got}`;
    if (keyed.ok && (keyless.status === 401 || keyless.status === 403))
      return t.fail('CHAT-11', closed, keyed, keyless);
    if (keyless.status >= 500) t.fail('CHAT-11', `${what}: got ${got}`, keyless);
    // Which calls have such data is open.
    if (!keyless.ok) t.inconclusive(`a call that a task made has no data of this kind: ${got}`);
    const empty = `${what}: expected the data of the call, got none: ${got}`;
    if (!isFilled(keyless)) return t.fail('CHAT-11', empty, keyless);
    const payload = readPayload(keyless);
    const never = await readToolData(createUnknownId(call.id));
    if (never.ok && !containsText(payload, call.id) && !containsText(payload, tool))
      t.inconclusive(`nothing in ${got} shows which call it belongs to`);
    const same = `${what}: expected the data of that call, got the same for a call that does not exist: ${summarize(never)}`;
    t.expect('CHAT-11', !never.ok || never.text !== keyless.text, same, keyless, never);
    await expectDeleted(t, task, () => readToolData());
  },
};

/** The data of a call belong to the data of its task. */
async function expectDeleted(
  t: TestContext,
  task: TaskHandle,
  read: () => Promise<ApiResponse>,
): Promise<void> {
  if (!(await t.pollUntilEnd(task))) return;
  const before = await read();
  const deleted = await t.send('deleteTaskData', { path: { task_id: task.id } });
  if (!deleted.ok || !before.ok) return;
  const isGone = ({ ok, text }: ApiResponse) => !ok || text !== before.text;
  const after = await readUntil(t, read, isGone);
  const message = `GET /tool/{tool}/{id} after the data of the task were deleted: expected none of the data of its call, got ${summarize(after)}`;
  t.expect('TASK-21', isGone(after), message, before, deleted, after);
}

export const toolCases: readonly TestCase[] = [unanswered, stopped, corrected, ownTools, modelled, without];
