import { field, show } from '../../conversation/json.js';
import type { ApiResponse } from '../http-client/response.js';
import type { TaskHandle, TestCase } from '../test-case/test-case.js';
import type { TestContext } from '../test-case/test-context.js';
import { textFor, toolFor } from '../test-case/texts.js';
import { MOST, placeOf } from './lists.js';
import { listIn, observe, observeStatus } from './observe.js';
import { goto, isOver, sendEvent, sendNew } from './task.js';

/**
 * `event.action-to-one-shot`, `event.unknown-tool-reply`, `event.odd-reply-code`, `event.reply-repeated`,
 * `event.to-finished-task`: a task that waits for a reply is certainly at work, and after DELETE it is certainly over.
 */
export const replies: TestCase = {
  id: 'tool-calls/point-replies',
  title: 'What answers events that a one-shot task has no use for, while it runs and once it is over',
  covers: ['TOOL-01', 'TASK-13'],
  operations: ['createTask', 'getTask', 'sendTaskEvent', 'listTasks', 'deleteTask'],
  tasks: 1,
  async run(t) {
    const { settings } = t;
    const custom_tools = [toolFor(settings, 'get_weather')];
    const task = await t.createTask({ task: textFor(settings, 'tool-call'), custom_tools });
    const call = await t.nextToolCall(task);
    if (!call) return t.inconclusive('the agent called no tool');
    const name = field(call.payload, 'name');
    const message = `a tool_call: expected the name of a tool, got the payload ${show(call.payload)}`;
    t.expect('TOOL-01', typeof name === 'string', message, task.last);

    observeStatus(t, 'event.action-to-one-shot', (await sendNew(t, task, goto(t))).answer);
    const reply = (id: string, code: number) =>
      sendEvent(t, task, { id, name: 'tool_call', payload: { code, output: 'x' }, timestamp: t.now() });
    observeStatus(t, 'event.unknown-tool-reply', await reply(t.unique(), 200));
    observeStatus(t, 'event.odd-reply-code', await reply(call.id, 501));

    const first = await reply(call.id, 200);
    const second = await reply(call.id, 200);
    if (first.ok) await observeRepeated(t, task, second);

    const stopped = await t.cancel(task);
    if (!stopped.ok && !first.ok)
      t.inconclusive(`DELETE of a task that waits for a reply is answered with ${stopped.status}`);
    await t.pollUntilEnd(task);
    if (!isOver(task)) t.inconclusive('the task went on after it was deleted for as long as could be waited');
    // What was sent before may have brought another end about.
    if (stopped.ok && task.status === 'cancelled') t.expect('TASK-13', true, '', stopped, task.last);
    observeStatus(t, 'event.to-finished-task', await reply(call.id, 200));
  },
};

/** A refusal is about the repetition only if the task was still at work when it came. */
async function observeRepeated(t: TestContext, task: TaskHandle, second: ApiResponse): Promise<void> {
  if (second.ok) return observe(t, 'event.reply-repeated', 'first-counts', second);
  const list = await t.send('listTasks', { query: { l: MOST } });
  if (field(listIn(list)[placeOf(list, task)], 'status') !== 'running') return;
  observeStatus(t, 'event.reply-repeated', second);
}
