import type { ResultCode } from '../../../../spec/vocabulary.js';
import { show } from '../../../conversation/json.js';
import { isActive, isCall, summarize } from '../../test-case/read-task.js';
import type { TaskHandle } from '../../test-case/task-handle.js';
import {
  createWeatherTask,
  expectEnd,
  expectTask,
  firstToolCall,
  give,
  IN_TIME,
  pollOn,
  type Reply,
  WEATHER,
  work,
} from '../../test-case/task-steps.js';
import type { TestCase } from '../../test-case/test-case.js';
import type { TestContext } from '../../test-case/test-context.js';
import { textFor, toolFor } from '../../test-case/texts.js';

/** What rules see in any conversation with calls. */
const CALLS = ['TOOL-01', 'TOOL-02', 'TOOL-11', 'EVENT-01', 'EVENT-09'] as const;
const CALLING = ['createTask', 'getTask', 'sendTaskEvent'] as const;

const answered: TestCase = {
  id: 'tool-calls/answered',
  title: 'A call that is answered with 200 lets the task come to its end',
  covers: [...CALLS, 'EVENT-03', 'SERVICE-01', 'POLL-02', 'TASK-03', 'TASK-11'],
  operations: CALLING,
  tasks: 2,
  async run(t) {
    const tools = [toolFor(t.settings, 'get_weather')];
    const request = { task: textFor(t.settings, 'tool-call'), custom_tools: tools };
    const task = await expectTask(t, request, 'TASK-11');
    const call = await t.nextToolCall(task);
    if (!call && isActive(task.status)) await tellWhy(t, task);
    if (!call) await firstToolCall(t, task);
    if (!call || !(await give(t, task, call, WEATHER))) return;
    const { calls } = await work(t, task, () => WEATHER);
    if (!(await expectEnd(t, task))) return;
    const replied = [call, ...calls].map(({ id }) => id);
    const open = task.events.find((event) => isCall(event) && !replied.includes(event.id));
    const unanswered = `expected a task that is done to have waited for the reply to each of its calls, got ${show(open)}`;
    if (task.status === 'done') t.expect('TOOL-11', open === undefined, unanswered, task.last);
    const known = task.events.filter(isCall).length;
    for await (const response of pollOn(t, task, 3)) {
      const late = task.events.filter(isCall).slice(known)[0];
      const message = `the task is ${task.status}: expected no more calls, got ${show(late)}`;
      t.expect('TOOL-11', late === undefined, message, response);
    }
  },
};

/** Neither a call nor an end: if the task ends without the tool, the agent waits for a call that nobody was shown. */
async function tellWhy(t: TestContext, task: TaskHandle): Promise<void> {
  const twin = await t.createTask({ task: textFor(t.settings, 'one-shot') });
  if (!(await t.pollUntilEnd(twin))) return;
  const message = `a task without tools ends; with one it neither ends nor calls the tool: expected a tool_call event, got ${summarize(task.last)}`;
  t.fail('TOOL-01', message, task.created, task.last, twin.last);
}

const REFUSALS: readonly Reply[] = [
  { code: 400, output: 'city: write the name in full' },
  { code: 500, output: 'the weather station does not answer, try again' },
];

const afterAnError = REFUSALS.map(
  (refusal): TestCase => ({
    id: `tool-calls/answered-with-${refusal.code}`,
    title: `A reply of ${refusal.code} reaches the agent, which goes on`,
    covers: ['TOOL-05', ...CALLS, 'EVENT-03'],
    operations: CALLING,
    tasks: 2,
    async run(t) {
      const task = await createWeatherTask(t, 'tool-error');
      const call = await firstToolCall(t, task);
      if (!(await give(t, task, call, refusal, 'TOOL-05'))) return;
      const replied = task.last;
      const { calls, stuck } = await work(t, task, () => WEATHER);
      if (stuck) return standsStill(t, task, refusal.code, calls.length);
      const message = `a reply of ${refusal.code}: expected the agent to go on, got ${summarize(task.last)}`;
      if (calls.length > 0 || task.status === 'done') t.expect('TOOL-05', true, message, replied, task.last);
    },
  }),
);

/** It may only be slow: a task whose calls all succeed tells. */
async function standsStill(t: TestContext, task: TaskHandle, code: ResultCode, later: number): Promise<void> {
  const twin = await createWeatherTask(t, 'tool-error');
  const { stuck } = await work(t, twin, () => WEATHER);
  if (stuck) return t.inconclusive(`the agent did not go on ${IN_TIME}, nor does it after a 200`);
  const after = later > 0 ? `a reply of ${code} and ${later} of 200` : `a reply of ${code}`;
  const message = `after ${after}: expected the agent to call again or to end ${IN_TIME}, as it does without the error; got ${summarize(task.last)}`;
  t.fail('TOOL-05', message, task.last, twin.last);
}

const unanswered: TestCase = {
  id: 'tool-calls/left-waiting',
  title: 'A task waits for the reply to a call, and takes it when it comes',
  covers: [...CALLS, 'EVENT-03', 'POLL-02', 'POLL-08'],
  operations: CALLING,
  tasks: 1,
  async run(t) {
    const task = await createWeatherTask(t);
    const call = await firstToolCall(t, task);
    for await (const response of pollOn(t, task, 4)) {
      const message = `call ${show(call.id)} has no reply yet: expected the task to wait for it, got ${summarize(response)}`;
      t.expect('TOOL-01', task.status !== 'done', message, response);
      if (!isActive(task.status)) return;
      t.expect('POLL-08', true, 'it goes on waiting', response);
    }
    if (!(await give(t, task, call, WEATHER))) return;
    await work(t, task, () => WEATHER);
    await expectEnd(t, task);
  },
};

const twice: TestCase = {
  id: 'tool-calls/replied-to-twice',
  title: 'A second reply to the same call does the task no harm',
  covers: [...CALLS, 'EVENT-02', 'EVENT-03', 'SERVICE-01'],
  operations: CALLING,
  tasks: 1,
  async run(t) {
    const task = await createWeatherTask(t, 'tool-calls');
    const call = await firstToolCall(t, task);
    if (!(await give(t, task, call, WEATHER))) return;
    // Left open what is said to it; the agent has its response.
    await t.reply(task, call.id, 200, WEATHER.output);
    const { calls } = await work(t, task, () => WEATHER);
    await expectEnd(t, task);
    const again = calls.find(({ id }) => id === call.id);
    const message = `expected ids of calls not to be used again, got ${show(again)}`;
    t.expect('EVENT-02', again === undefined, message, task.last);
  },
};

const without: TestCase = {
  id: 'tool-calls/no-tools',
  title: 'A task without tools calls none',
  covers: ['TOOL-11', 'SERVICE-01'],
  operations: ['createTask', 'getTask'],
  tasks: 1,
  async run(t) {
    const task = await t.createTask({ task: textFor(t.settings, 'tool-call') });
    await expectEnd(t, task);
    const call = task.events.find(isCall);
    const message = `no tool was registered: expected no call, got ${show(call)}`;
    if (!isActive(task.status)) t.expect('TOOL-11', call === undefined, message, task.created, task.last);
  },
};

export const toolCases: readonly TestCase[] = [answered, ...afterAnError, unanswered, twice, without];
