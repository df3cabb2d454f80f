import { show } from '../../conversation/json.js';
import { isActive, isCall, summarize } from '../test-case/read-task.js';
import type { TaskHandle } from '../test-case/task-handle.js';
import {
  createWeatherTask,
  expectEnd,
  firstToolCall,
  give,
  pollOn,
  WEATHER,
} from '../test-case/task-steps.js';
import type { TestCase } from '../test-case/test-case.js';
import type { TestContext } from '../test-case/test-context.js';
import { textFor } from '../test-case/texts.js';

/** What rules see in any conversation with calls. */
const CALLS = ['TOOL-01', 'TOOL-02', 'TOOL-11', 'EVENT-01', 'EVENT-09'] as const;
/** Calls that are replied to until it has been enough. */
const MOST_CALLS = 20;
const CALLING = ['createTask', 'getTask', 'sendTaskEvent'] as const;

const unanswered: TestCase = {
  id: 'tool-calls/left-waiting',
  title: 'A task waits for the reply to a call and takes it when it comes; a second one does no harm',
  covers: [...CALLS, 'EVENT-03', 'POLL-02', 'POLL-08', 'SERVICE-01'],
  operations: CALLING,
  tasks: 1,
  async run(t) {
    const task = await createWeatherTask(t, 'tool-calls');
    const call = await firstToolCall(t, task);
    for await (const response of pollOn(t, task, 4)) {
      const message = `call ${show(call.id)} has no reply yet: expected the task to wait for it, got ${summarize(response)}`;
      t.expect('TOOL-01', task.status !== 'done', message, response);
      if (!isActive(task.status)) return;
      t.expect('POLL-08', true, 'it goes on waiting', response);
    }
    if (!(await give(t, task, call, WEATHER))) return;
    // What responds to it is open; the agent has its reply.
    await t.reply(task, call.id, WEATHER.code, WEATHER.output);
    await replyToAll(t, task);
    await expectEnd(t, task);
  },
};

/** Replies to every call until the task is over. */
async function replyToAll(t: TestContext, task: TaskHandle): Promise<void> {
  for (let calls = 0; calls < MOST_CALLS; calls++) {
    const call = await t.nextToolCall(task);
    if (!call) return;
    await give(t, task, call, WEATHER);
  }
}

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

export const toolCases: readonly TestCase[] = [unanswered, without];
