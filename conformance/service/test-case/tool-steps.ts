import { isActive } from '../../../spec/vocabulary.js';
import { PATIENCE_MS } from '../../rules/service/tool-calls.js';
import { summarize } from '../http-client/response.js';
import { isCall, readTaskId, type TaskHandle } from './read-task.js';
import { createWeather, createWeatherTask, expectNoStall, sendReply } from './task-steps.js';
import type { TestContext } from './test-context.js';

/** Steps of cases about tasks with tools. */

/** Requirements that rules check in any conversation with calls. */
export const CALLS = ['TOOL-01', 'TOOL-02', 'TOOL-11', 'EVENT-01', 'EVENT-09'] as const;
/** Operations of a client with tools. */
export const CALLING = ['createTask', 'getTask', 'sendTaskEvent'] as const;

/** Maximum number of calls that are replied to. */
const MOST_CALLS = 20;

/** Tools with inputs that no other one of them fits, with bounds far from the usual values and enums of several types. */
export const DIFFERENT_TOOLS = [
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
export async function createToolTask(
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

export async function createTaskOfTwoTools(t: TestContext): Promise<TaskHandle> {
  const tools = [t.tool('get_weather'), ...DIFFERENT_TOOLS.slice(0, 1)];
  return (await createToolTask(t, tools)) ?? (await createWeatherTask(t, 'tool-calls'));
}

/** Whether the task still waits for the reply to its last call: it is active, and the agent made no other call. */
export function isLeftWaiting(task: TaskHandle, knownCalls: number): boolean {
  return isActive(task.status) && countCalls(task) === knownCalls;
}

export function countCalls({ events }: TaskHandle): number {
  return events.filter(isCall).length;
}

/** A control waits longer than the task that it is compared with: its call may be seen sooner after it was made. */
const CONTROL_FACTOR = 2;
const CONTROL_POLLS = 4;

/**
 * How long an agent waits for a reply is not stated. Ends the case unless a task of the same kind (`create`) that gets no reply at
 * all is waiting after the same time.
 */
export async function requirePatience(
  t: TestContext,
  create: () => Promise<TaskHandle | undefined>,
  waitedMs: number,
): Promise<void> {
  const control = await create();
  if (!control || !(await t.nextToolCall(control)))
    return t.inconclusive('the agent of another task called no tool, so nothing shows how long it waits');
  const known = countCalls(control);
  const controlMs = waitedMs * CONTROL_FACTOR + t.settings.pollIntervalMs * CONTROL_POLLS;
  // One poll at the end: a rule judges an agent that is seen to stop sooner.
  await t.sleep(Math.max(controlMs, PATIENCE_MS));
  await t.poll(control);
  if (!isLeftWaiting(control, known))
    t.inconclusive(`the agent does not wait as long for a reply: ${summarize(control.last)}`);
  await t.cancel(control);
}

/** Replies to every call until the task is over. */
export async function replyToAll(t: TestContext, task: TaskHandle): Promise<void> {
  for (let calls = 0; calls < MOST_CALLS; calls++) {
    const call = await t.nextToolCall(task);
    if (!call) return expectNoStall(t, task);
    await sendReply(t, task, call, createWeather(t));
  }
}
