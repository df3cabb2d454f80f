import { field, show } from '../../../conversation/json.js';
import type { ApiResponse } from '../../http-client/response.js';
import { unlike } from '../../request-builders/read.js';
import { leavesOf, mentions, payloadOf } from '../../test-case/read-record.js';
import { summarize } from '../../test-case/read-task.js';
import { readUntil } from '../../test-case/requests.js';
import type { TestCase } from '../../test-case/test-case.js';
import type { TestContext } from '../../test-case/test-context.js';
import { TEXTS, textFor, toolFor } from '../../test-case/texts.js';

const toolData: TestCase = {
  id: 'resources/tool-data',
  title: 'The data of a tool call are read without a key',
  covers: ['CHAT-11'],
  operations: ['createTask', 'getTask', 'sendTaskEvent', 'getToolData'],
  tasks: 1,
  async run(t: TestContext) {
    const task = await t.createTask({
      task: textFor(t.settings, 'tool-call'),
      custom_tools: [toolFor(t.settings, 'get_weather')],
    });
    const call = await t.nextToolCall(task);
    if (!call)
      t.inconclusive(
        `the agent called no tool for the text "${t.settings.texts['tool-call'] ?? TEXTS['tool-call']}"`,
      );
    await t.reply(task, call.id, 200, { temp_c: 21 });
    const tool = field(call.payload, 'name');
    if (typeof tool !== 'string' || tool === '')
      return t.inconclusive(`the call names no tool: its payload is ${show(call.payload)}`);
    const read = (id: string, key?: null) =>
      t.send('getToolData', { path: { tool, id }, ...(key === null ? { key } : {}) });
    const isFilled = (response: ApiResponse) =>
      leavesOf(payloadOf(response)).some(({ value }) => value != null);
    const keyless = await readUntil(
      t,
      () => read(call.id, null),
      (response) => !response.ok || isFilled(response),
    );
    const keyed = await read(call.id);
    await t.cancel(task);
    if (keyed.ok && (keyless.status === 401 || keyless.status === 403)) {
      t.fail(
        'CHAT-11',
        `GET /tool/{tool}/{id} without a key: expected it to be answered as with one, got ${summarize(keyless)}`,
        keyed,
        keyless,
      );
      return;
    }
    if (keyless.status >= 500)
      t.fail('CHAT-11', `GET /tool/${tool}/${call.id} without a key: got ${summarize(keyless)}`, keyless);
    // Which calls have data of this kind is open.
    if (!keyless.ok)
      t.inconclusive(`a call that a task made has no data of this kind: ${summarize(keyless)}`);
    const empty = `GET /tool/${tool}/${call.id}: expected the data of the call, got none: ${summarize(keyless)}`;
    if (!isFilled(keyless)) return t.fail('CHAT-11', empty, keyless);
    const payload = payloadOf(keyless);
    const never = await read(unlike(call.id), null);
    const isOfThis = mentions(payload, call.id) || mentions(payload, tool);
    if (!isOfThis && never.ok) t.inconclusive(`nothing in ${summarize(keyless)} tells of which call it is`);
    t.expect(
      'CHAT-11',
      !never.ok || never.text !== keyless.text,
      `GET /tool/${tool}/{id}: expected the data of the call "${call.id}", got the same for a call that there is not: ${summarize(never)}`,
      keyless,
      never,
    );
  },
};

export const toolDataCases: readonly TestCase[] = [toolData];
