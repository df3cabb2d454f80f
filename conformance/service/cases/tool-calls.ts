import { isActive, type TaskEvent } from '../../../spec/vocabulary.js';
import { isSameJson, show } from '../../conversation/json.js';
import { summarize } from '../http-client/response.js';
import { awaitToolCall } from '../test-case/await-events.js';
import { createUnknownId } from '../test-case/read-record.js';
import { isCall, readTaskId, type TaskHandle } from '../test-case/read-task.js';
import {
  cancelActive,
  createWeather,
  createWeatherTask,
  expectCancelled,
  expectCompletion,
  expectNoStall,
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
    if (!call) return expectNoStall(t, task);
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
    const tools = [t.tool('get_weather'), ...DIFFERENT_TOOLS.slice(0, 1)];
    const task = (await createToolTask(t, tools)) ?? (await createWeatherTask(t, 'tool-calls'));
    const call = await awaitToolCall(t, task);
    if (!(await cancelActive(t, task))) return;
    const known = task.events.length;
    const { code, output } = createWeather(t);
    await t.reply(task, call.id, code, output, { mayBeRefused: true });
    await expectCancelled(t, task);
    await t.poll(task, 0);
    const next = task.events.slice(known).find(isCall);
    const message = `a poll showed that the task was cancelled: expected no more tool calls, got ${show(next)}`;
    t.expect('TASK-17', next === undefined, message, task.last);
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

/** Tools with inputs that no other one of them fits, with bounds far from the usual values and enums of several types. */
const DIFFERENT_TOOLS = [
  { name: 'read_page', properties: { page: { type: 'integer', minimum: 4100, multipleOf: 50 } } },
  {
    name: 'save_title',
    properties: { title: { type: 'string', minLength: 60 }, state: { enum: [404, 'missing', false] } },
  },
  { name: 'set_switch', properties: { on: { type: 'boolean' }, level: { enum: [false, 0, 'none'] } } },
  {
    name: 'list_marks',
    properties: {
      marks: { type: 'array', items: { type: 'number' }, minItems: 2 },
      kind: { enum: [null, 'none'] },
    },
  },
].map(({ name, properties }) => ({
  name,
  description: `Takes the ${Object.keys(properties).join(' and the ')} of a note.`,
  inputs: { type: 'object', properties, required: Object.keys(properties) },
  output: 'A short text.',
}));

/** With as many of the tools as a service accepts: how many a task may have is open. */
async function createToolTask(
  t: TestContext,
  tools: readonly Readonly<Record<string, unknown>>[],
): Promise<TaskHandle | undefined> {
  for (let count = tools.length; count > 0; count--) {
    const body = { task: t.text('tool-each'), custom_tools: tools.slice(0, count) };
    const created = await t.send('createTask', t.amend('createTask', { body, mayBeRefused: true }));
    const id = readTaskId(created);
    if (id !== undefined) return t.adoptTask(created, id);
  }
  return undefined;
}

/** A reply with the id of a call that is sent to another task, or with another id, replies to no call: the task takes its own reply. */
async function replyAstray(t: TestContext, task: TaskHandle, other: TaskHandle): Promise<void> {
  const call = await t.nextToolCall(task);
  if (!call) return;
  const { code, output } = createWeather(t);
  const known = task.events.filter(isCall).length;
  for (const [to, id, where] of [
    [other, call.id, 'to another task'],
    [task, createUnknownId(call.id), 'with the id of no call'],
  ] as const) {
    const stray = await t.reply(to, id, code, output, { mayBeRefused: true });
    for await (const _ of pollRepeatedly(t, task, 2));
    const isWaiting = isActive(task.status) && task.events.filter(isCall).length === known;
    const message = `a reply in place of that to the call "${call.id}" was sent ${where}: expected the task of the call to wait for its own, got ${summarize(task.last)}`;
    if (!t.expect('TOOL-01', isWaiting, message, stray, task.last)) return;
  }
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
    await replyAstray(t, tasks[0]!, tasks[1]!);
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

/** More calls than a task may take steps, in most services. */
const MOST_RETRIES = 40;

const refusing: TestCase = {
  id: 'tool-calls/errors-alone',
  title: 'An agent does not repeat a call without end that is always replied to with an error',
  covers: ['TOOL-05'],
  parts: ['tools'],
  operations: CALLING,
  tasks: 1,
  async run(t) {
    const task = await createWeatherTask(t);
    let call: TaskEvent | undefined = await awaitToolCall(t, task);
    const { payload } = call;
    for (let calls = 1; call && isSameJson(call.payload, payload); calls++) {
      const message = `a tool whose replies are errors: expected the agent to correct its input or to take another approach, got the same call ${calls} times, ${show(payload)}`;
      if (!t.expect('TOOL-05', calls < MOST_RETRIES, message, task.last)) return;
      const output = 'There is no weather station in reach. Do not try again.';
      if (!(await sendReply(t, task, call, { code: calls % 2 === 0 ? 400 : 500, output }))) return;
      call = await t.nextToolCall(task);
    }
    if (!call && isActive(task.status)) await expectCompletion(t, task, 0);
  },
};

export const toolCases: readonly TestCase[] = [
  unanswered,
  stopped,
  corrected,
  ownTools,
  modelled,
  refusing,
  without,
];
