import { isActive, type TaskEvent } from '../../../spec/vocabulary.js';
import { isSameJson, show } from '../../conversation/json.js';
import { type ApiResponse, summarize } from '../http-client/response.js';
import { awaitToolCall } from '../test-case/await-events.js';
import { isCall, type TaskHandle } from '../test-case/read-task.js';
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
import { CALLING, CALLS, createTaskOfTwoTools, replyToAll } from '../test-case/tool-steps.js';

/** What becomes of a reply: in time, repeated, refused, late, or about an error. */

const unanswered: TestCase = {
  id: 'tool-calls/left-waiting',
  title: 'A task waits for the reply to a call and accepts it; a second reply does no harm',
  covers: [...CALLS, 'EVENT-03', 'POLL-02', 'POLL-08', 'SERVICE-01'],
  operations: CALLING,
  tasks: 1,
  async run(t) {
    const task = await createTaskOfTwoTools(t);
    const call = await awaitToolCall(t, task);
    const began = t.now();
    for await (const _ of pollRepeatedly(t, task, 4)) if (!isActive(task.status)) return;
    const waitedMs = t.now() - began;
    const isNextOpen = task.nextCall !== undefined;
    const weather = createWeather(t);
    const until = t.now() + waitedMs;
    if (!(await sendReply(t, task, call, weather))) return;
    // The response to it is open; the agent has its reply.
    const again = () => t.reply(task, call.id, weather.code, weather.output, { mayBeRefused: true });
    const second = await again();
    if (!isNextOpen) await expectNextWaits(t, task, second, again, until);
    await replyToAll(t, task);
    if (!(await expectCompletion(t, task))) return;
    // Neither does a reply after the end.
    await again();
    for await (const _ of pollRepeatedly(t, task, 2));
  },
};

/** The second reply to a call is none to the next one, and neither is one that is sent `again` while that is open. `until`: the agent has waited as long for the reply to the first. */
async function expectNextWaits(
  t: TestContext,
  task: TaskHandle,
  second: ApiResponse,
  again: () => Promise<ApiResponse>,
  until: number,
): Promise<void> {
  await t.pollUntil(task, ({ nextCall }) => nextCall !== undefined || t.now() >= until);
  const third = task.nextCall && (await again());
  for await (const _ of pollRepeatedly(t, task, 3)) if (!isActive(task.status) || t.now() >= until) break;
  const { nextCall, status } = task;
  if (!nextCall || t.now() >= until) return;
  const message = `a second reply to an earlier call was sent, and a third while the next call was open: expected the agent to wait for the reply to the call ${show(nextCall.id)}, as it had waited before; the task is done`;
  t.expect('TOOL-01', status !== 'done', message, second, ...(third ? [third] : []), task.last);
}

const stopped: TestCase = {
  id: 'tool-calls/stopped-in-a-call',
  title: 'DELETE cancels a task that waits for a reply, and a late reply does not change that',
  covers: ['TASK-13', 'TASK-17', 'POLL-08'],
  parts: ['tools'],
  operations: [...CALLING, 'deleteTask'],
  tasks: 1,
  async run(t) {
    const task = await createTaskOfTwoTools(t);
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
  covers: ['TOOL-01', 'TOOL-09', 'EVENT-03'],
  parts: ['tools'],
  operations: CALLING,
  tasks: 1,
  async run(t) {
    const task = await createWeatherTask(t);
    const call = await awaitToolCall(t, task);
    const refused = await t.reply(task, call.id, 600, 'no such code', { mayBeRefused: true });
    if (refused.ok || refused.status >= 500)
      return t.inconclusive(`a reply with the code 600 is not refused: ${summarize(refused)}`);
    // A rule judges whether it is done without a reply.
    for await (const _ of pollRepeatedly(t, task, 3)) if (!isActive(task.status)) return;
    if (await sendReply(t, task, call, createWeather(t), 'TOOL-09')) await replyToAll(t, task);
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

export const replyCases: readonly TestCase[] = [unanswered, stopped, corrected, modelled, refusing];
