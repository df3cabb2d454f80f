import { field, show } from '../../../conversation/json.js';
import type { ApiResponse } from '../../http-client/response.js';
import { leavesOf, mentions, payloadOf, unlike } from '../../test-case/read-record.js';
import { summarize } from '../../test-case/read-task.js';
import { readUntil } from '../../test-case/requests.js';
import { createWeatherTask, firstToolCall, WEATHER } from '../../test-case/task-steps.js';
import type { TestCase } from '../../test-case/test-case.js';

const toolData: TestCase = {
  id: 'resources/tool-data',
  title: 'The data of a tool call are read without a key',
  covers: ['CHAT-11'],
  operations: ['createTask', 'getTask', 'sendTaskEvent', 'getToolData'],
  tasks: 1,
  async run(t) {
    const task = await createWeatherTask(t);
    const call = await firstToolCall(t, task);
    await t.reply(task, call.id, 200, WEATHER.output);
    const tool = field(call.payload, 'name');
    if (typeof tool !== 'string' || tool === '')
      return t.inconclusive(`the call names no tool: its payload is ${show(call.payload)}`);
    const what = `GET /tool/${tool}/${call.id} without a key`;
    const read = (id = call.id) => t.send('getToolData', { path: { tool, id }, key: null });
    const isFilled = (response: ApiResponse) =>
      leavesOf(payloadOf(response)).some(({ value }) => value != null);
    const keyless = await readUntil(t, read, (response) => !response.ok || isFilled(response));
    const keyed = await t.send('getToolData', { path: { tool, id: call.id } });
    await t.cancel(task);
    const got = summarize(keyless);
    const closed = `${what}: expected it to be answered as with one, got ${got}`;
    if (keyed.ok && (keyless.status === 401 || keyless.status === 403))
      return t.fail('CHAT-11', closed, keyed, keyless);
    if (keyless.status >= 500) t.fail('CHAT-11', `${what}: got ${got}`, keyless);
    // Which calls have data of this kind is open.
    if (!keyless.ok) t.inconclusive(`a call that a task made has no data of this kind: ${got}`);
    const empty = `${what}: expected the data of the call, got none: ${got}`;
    if (!isFilled(keyless)) return t.fail('CHAT-11', empty, keyless);
    const payload = payloadOf(keyless);
    const never = await read(unlike(call.id));
    if (never.ok && !mentions(payload, call.id) && !mentions(payload, tool))
      t.inconclusive(`nothing in ${got} tells of which call it is`);
    const same = `${what}: expected the data of that call, got the same for a call that there is not: ${summarize(never)}`;
    t.expect('CHAT-11', !never.ok || never.text !== keyless.text, same, keyless, never);
  },
};

export const toolDataCases: readonly TestCase[] = [toolData];
