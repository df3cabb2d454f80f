import type { TaskEvent } from '../../../spec/vocabulary.js';
import { readField, show } from '../../conversation/json.js';
import { summarize } from '../http-client/response.js';
import { createUnknownId } from '../test-case/read-record.js';
import type { TaskHandle } from '../test-case/read-task.js';
import {
  createWeather,
  createWeatherTask,
  expectCompletion,
  pollRepeatedly,
  sendReply,
} from '../test-case/task-steps.js';
import type { TestCase } from '../test-case/test-case.js';
import type { TestContext } from '../test-case/test-context.js';
import {
  CALLING,
  CALLS,
  countCalls,
  createToolTask,
  DIFFERENT_TOOLS,
  isLeftWaiting,
  replyToAll,
  requirePatience,
} from '../test-case/tool-steps.js';

/** A reply with the id of a call that is sent to another task, or with another id, replies to no call: the task takes its own reply. */
async function replyAstray(
  t: TestContext,
  task: TaskHandle,
  other: TaskHandle,
  create: () => Promise<TaskHandle>,
): Promise<void> {
  const call = await t.nextToolCall(task);
  if (!call) return;
  const began = t.now();
  const { code, output } = createWeather(t);
  const known = countCalls(task);
  for (const [to, id, where] of [
    [other, call.id, 'to another task'],
    [task, createUnknownId(call.id), 'with the id of no call'],
  ] as const) {
    const stray = await t.reply(to, id, code, output, { mayBeRefused: true });
    for await (const _ of pollRepeatedly(t, task, 2));
    const isWaiting = isLeftWaiting(task, known);
    if (!isWaiting) await requirePatience(t, create, t.now() - began);
    const message = `a reply in place of that to the call "${call.id}" was sent ${where}: expected the task of the call to wait for its own, got ${summarize(task.last)}`;
    if (!t.expect('TOOL-01', isWaiting, message, stray, task.last)) return;
  }
  await sendReply(t, task, call, createWeather(t), 'TOOL-09');
}

/** Replies to a call of each task at the same time, each with a text of its own. */
async function replyAtOnce(
  t: TestContext,
  calls: ReadonlyMap<TaskHandle, TaskEvent>,
): Promise<ReadonlyMap<TaskHandle, string>> {
  const stations = new Map([...calls.keys()].map((task) => [task, t.unique()]));
  const replies = [...calls].map(([task, call]) => {
    const output = { temp_c: 21, station: stations.get(task) };
    return sendReply(t, task, call, { code: 200, output }, 'TOOL-09');
  });
  await Promise.all(replies);
  return stations;
}

/** How an agent reports a reply is open, but no output has the reply to a call of another task. */
function expectOwnReply(t: TestContext, task: TaskHandle, stations: ReadonlyMap<TaskHandle, string>): void {
  const output = readField(task.last.r, 'output') ?? null;
  const shown = [...stations].filter(([, station]) => JSON.stringify(output).includes(station));
  const message = `tasks got the replies to their calls at the same time: expected each to report its own (${stations.get(task)}), got the output ${show(output)}`;
  const isOwn = shown.every(([other]) => other === task);
  if (shown.length > 0) t.expect('TOOL-01', isOwn, message, task.last);
}

const ownTools: TestCase = {
  id: 'tool-calls/tools-of-each-task',
  title: 'Each task calls its own tools, each with an input of its own schema',
  covers: CALLS,
  parts: ['tools'],
  operations: CALLING,
  tasks: 3,
  async run(t) {
    const create = async (tools: typeof DIFFERENT_TOOLS) =>
      (await createToolTask(t, tools)) ?? (await createWeatherTask(t));
    const first = DIFFERENT_TOOLS.slice(0, 3);
    const [task, other] = [await create(first), await create(DIFFERENT_TOOLS.slice(3))];
    await replyAstray(t, task, other, () => create(first));
    for (const each of [task, other]) await replyToAll(t, each);
  },
};

const atOnce: TestCase = {
  id: 'tool-calls/replies-at-once',
  title: 'Tasks with the same tool that get replies at the same time each get the reply to their own call',
  covers: ['TOOL-01'],
  parts: ['tools'],
  operations: CALLING,
  tasks: 2,
  async run(t) {
    const calls = new Map<TaskHandle, TaskEvent>();
    const body = { task: t.text('tool-call'), custom_tools: [t.tool('get_weather')] };
    const tasks = [await t.createTask(body), await t.createTask(body)];
    for (const task of tasks) {
      const call = await t.nextToolCall(task);
      if (call) calls.set(task, call);
    }
    const stations = await replyAtOnce(t, calls);
    for (const task of tasks) await replyToAll(t, task);
    for (const task of tasks) expectOwnReply(t, task, stations);
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

export const toolCases: readonly TestCase[] = [ownTools, atOnce, without];
