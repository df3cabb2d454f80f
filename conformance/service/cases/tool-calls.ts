import { isActive } from '../../../spec/vocabulary.js';
import { summarize } from '../http-client/response.js';
import { createUnknownId } from '../test-case/read-record.js';
import { isCall, type TaskHandle } from '../test-case/read-task.js';
import {
  createWeather,
  createWeatherTask,
  expectCompletion,
  pollRepeatedly,
  sendReply,
} from '../test-case/task-steps.js';
import type { TestCase } from '../test-case/test-case.js';
import type { TestContext } from '../test-case/test-context.js';
import { CALLING, CALLS, createToolTask, DIFFERENT_TOOLS, replyToAll } from '../test-case/tool-steps.js';

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

export const toolCases: readonly TestCase[] = [ownTools, without];
