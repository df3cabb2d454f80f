import type { ResultCode } from '../../../../spec/vocabulary.js';
import { show } from '../../../conversation/json.js';
import { isActive, isCall, summarize } from '../../test-case/read-task.js';
import {
  expectEnd,
  expectTask,
  firstToolCall,
  give,
  IN_TIME,
  LONG_MS,
  type Reply,
  work,
} from '../../test-case/task-steps.js';
import type { TaskHandle, TestCase } from '../../test-case/test-case.js';
import type { TestContext } from '../../test-case/test-context.js';
import { type Purpose, type ToolName, textFor, toolFor } from '../../test-case/texts.js';

const GOOD: Reply = { code: 200, output: { temp_c: 21 } };

/** What rules see in any conversation with calls. */
export const CALLS = ['TOOL-01', 'TOOL-02', 'TOOL-11', 'EVENT-01', 'EVENT-09'] as const;
export const CALLING = ['createTask', 'getTask', 'sendTaskEvent'] as const;

/** A one-shot task with tools. */
export function withTools(t: TestContext, purpose: Purpose, ...names: ToolName[]): Promise<TaskHandle> {
  const { settings } = t;
  return t.createTask({
    task: textFor(settings, purpose),
    custom_tools: names.map((name) => toolFor(settings, name)),
  });
}

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
    if (!call || !(await give(t, task, call, GOOD))) return;
    const { calls } = await work(t, task, () => GOOD);
    if (!(await expectEnd(t, task))) return;
    const replied = [call, ...calls].map(({ id }) => id);
    const open = task.events.find((event) => isCall(event) && !replied.includes(event.id));
    const unanswered = `expected a task that is done to have waited for the reply to each of its calls, got ${show(open)}`;
    if (task.status === 'done') t.expect('TOOL-11', open === undefined, unanswered, task.last);
    const known = task.events.filter(isCall).length;
    for (let i = 1; i <= 3; i++) {
      await t.sleep(t.settings.pollIntervalMs * i);
      await t.poll(task);
    }
    const late = task.events.filter(isCall).slice(known)[0];
    const message = `the task is ${task.status}: expected no more calls, got ${show(late)}`;
    t.expect('TOOL-11', late === undefined, message, task.last);
  },
};

/** Neither a call nor an end: if the task ends without the tool, the agent waits for a call that nobody was shown. */
async function tellWhy(t: TestContext, task: TaskHandle): Promise<void> {
  const twin = await t.createTask({ task: textFor(t.settings, 'one-shot') });
  if (!(await t.pollUntilEnd(twin))) return;
  const message = `a task without tools ends; with one it neither ends nor calls the tool: expected a tool_call event, got ${summarize(task.last)}`;
  t.fail('TOOL-01', message, task.created, task.last, twin.last);
}

const afterAnError = ([400, 500] as const).map(
  (code): TestCase => ({
    id: `tool-calls/answered-with-${code}`,
    title: `A reply of ${code} reaches the agent, which goes on`,
    covers: ['TOOL-05', ...CALLS, 'EVENT-03'],
    operations: CALLING,
    tasks: 2,
    async run(t) {
      const task = await withTools(t, 'tool-error', 'get_weather');
      const call = await firstToolCall(t, task);
      if (!(await give(t, task, call, refusal(code), 'TOOL-05'))) return;
      const replied = task.last;
      const { calls, stuck } = await work(t, task, () => GOOD);
      if (stuck) return standsStill(t, task, code, calls.length);
      const message = `a reply of ${code}: expected the agent to go on, got ${summarize(task.last)}`;
      if (calls.length > 0 || task.status === 'done') t.expect('TOOL-05', true, message, replied, task.last);
    },
  }),
);

function refusal(code: ResultCode): Reply {
  const output =
    code === 400 ? 'city: write the name in full' : 'the weather station does not answer, try again';
  return { code, output };
}

/** It may only be slow: a task whose calls all succeed tells. */
async function standsStill(t: TestContext, task: TaskHandle, code: number, later: number): Promise<void> {
  const twin = await withTools(t, 'tool-error', 'get_weather');
  const { stuck } = await work(t, twin, () => GOOD);
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
    const { settings } = t;
    const task = await withTools(t, 'tool-call', 'get_weather');
    const call = await firstToolCall(t, task);
    const began = t.now();
    for (let i = 1; i <= 5 && (i === 1 || t.now() - began < LONG_MS); i++) {
      const { last } = task;
      await t.sleep(settings.pollIntervalMs * 2);
      const response = await t.poll(task);
      const message = `call ${show(call.id)} has no reply yet: expected the task to wait for it, got ${summarize(response)}`;
      t.expect('TOOL-01', task.status !== 'done', message, last, response);
      if (!isActive(task.status)) return;
      t.expect('POLL-08', true, 'it goes on waiting', last, response);
    }
    if (!(await give(t, task, call, GOOD))) return;
    await work(t, task, () => GOOD);
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
    const task = await withTools(t, 'tool-calls', 'get_weather');
    const call = await firstToolCall(t, task);
    if (!(await give(t, task, call, GOOD))) return;
    // Left open what is said to it; the agent has its response.
    await t.reply(task, call.id, 200, { temp_c: 21 });
    const { calls } = await work(t, task, () => GOOD);
    await expectEnd(t, task);
    const again = calls.find(({ id }) => id === call.id);
    const known = task.events.filter(isCall).length;
    const message = `expected ids of calls not to be used again, got ${show(again)} among ${known} calls`;
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
