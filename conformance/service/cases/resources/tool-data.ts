import { readField, show } from '../../../conversation/json.js';
import { type ApiResponse, summarize } from '../../http-client/response.js';
import { awaitToolCall } from '../../test-case/await-events.js';
import { collectLeaves, containsText, createUnknownId, readPayload } from '../../test-case/read-record.js';
import type { TaskHandle } from '../../test-case/read-task.js';
import { readUntil } from '../../test-case/requests.js';
import { createWeather, createWeatherTask } from '../../test-case/task-steps.js';
import type { TestCase } from '../../test-case/test-case.js';
import type { TestContext } from '../../test-case/test-context.js';

export const toolDataCase: TestCase = {
  id: 'resources/tool-data',
  title: 'The data of a tool call are read without a key, until the data of its task are deleted',
  covers: ['CHAT-11', 'TASK-21'],
  parts: ['tools'],
  operations: ['createTask', 'getTask', 'sendTaskEvent', 'getToolData', 'deleteTask', 'deleteTaskData'],
  tasks: 1,
  async run(t) {
    const task = await createWeatherTask(t);
    const call = await awaitToolCall(t, task);
    await t.reply(task, call.id, 200, createWeather(t).output);
    const tool = readField(call.payload, 'name');
    if (typeof tool !== 'string' || tool === '')
      return t.inconclusive(`the call names no tool: its payload is ${show(call.payload)}`);
    const what = `GET /tool/${tool}/${call.id} without a key`;
    const readToolData = (id = call.id, name = tool) =>
      t.send('getToolData', { path: { tool: name, id }, key: null });
    const isFilled = (response: ApiResponse) =>
      collectLeaves(readPayload(response)).some(({ value }) => value != null);
    const keyless = await readUntil(t, readToolData, (response) => !response.ok || isFilled(response));
    const keyed = await t.send('getToolData', { path: { tool, id: call.id } });
    await t.cancel(task);
    const got = summarize(keyless);
    const closed = `${what}: expected a success as with a key, got ${got}`;
    if (keyed.ok && (keyless.status === 401 || keyless.status === 403))
      return t.fail('CHAT-11', closed, keyed, keyless);
    if (keyless.status >= 500) t.fail('CHAT-11', `${what}: got ${got}`, keyless);
    // Which calls have such data is open.
    if (!keyless.ok) t.inconclusive(`a call that a task made has no data of this kind: ${got}`);
    const empty = `${what}: expected the data of the call, got none: ${got}`;
    if (!isFilled(keyless)) return t.fail('CHAT-11', empty, keyless);
    const payload = readPayload(keyless);
    const never = await readToolData(createUnknownId(call.id));
    if (never.ok && !containsText(payload, call.id) && !containsText(payload, tool))
      t.inconclusive(`nothing in ${got} shows which call it belongs to`);
    const same = `${what}: expected the data of that call, got the same for a call that does not exist: ${summarize(never)}`;
    t.expect('CHAT-11', !never.ok || never.text !== keyless.text, same, keyless, never);
    const elsewhere = await readToolData(call.id, createUnknownId(tool));
    const mistaken = `GET /tool/{tool}/{id} with the id of that call and the name of another tool: expected 404, as for other unknown calls (${summarize(never)}), got ${summarize(elsewhere)}`;
    if (!never.ok) t.expect('CHAT-11', !elsewhere.ok, mistaken, keyless, never, elsewhere);
    await expectDeleted(t, task, () => readToolData());
  },
};

/** The data of a call belong to the data of its task. */
async function expectDeleted(
  t: TestContext,
  task: TaskHandle,
  read: () => Promise<ApiResponse>,
): Promise<void> {
  if (!(await t.pollUntilEnd(task))) return;
  const before = await read();
  const deleted = await t.send('deleteTaskData', { path: { task_id: task.id } });
  if (!deleted.ok || !before.ok) return;
  const isGone = ({ ok, text }: ApiResponse) => !ok || text !== before.text;
  const after = await readUntil(t, read, isGone);
  const message = `GET /tool/{tool}/{id} after the data of the task were deleted: expected none of the data of its call, got ${summarize(after)}`;
  t.expect('TASK-21', isGone(after), message, before, deleted, after);
}
