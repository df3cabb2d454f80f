import { field } from '../../../conversation/json.js';
import type { ApiResponse } from '../../http-client/response.js';
import { summarize } from '../../test-case/read-task.js';
import { expectServed, mustFollow, mustSucceed, readUntil } from '../../test-case/requests.js';
import type { TaskHandle, TestCase } from '../../test-case/test-case.js';
import type { TestContext } from '../../test-case/test-context.js';
import { type Purpose, TEXTS, textFor, toolFor } from '../../test-case/texts.js';

/** Most tasks that one list may hold. Section "Limits". */
const LONGEST_LIST = 128;

/** The task of that id in the response to GET /task. */
export function listedTask({ r }: ApiResponse, id: string): unknown {
  return Array.isArray(r) ? r.find((task) => field(task, 'id') === id) : undefined;
}

const list: TestCase = {
  id: 'resources/task-list',
  title: 'Tasks are listed with their id and status, no more of them than asked for, also once they are over',
  covers: ['TASK-15', 'LIMIT-01'],
  operations: ['createTask', 'listTasks', 'getTask', 'deleteTask'],
  tasks: 2,
  async run(t: TestContext) {
    const one = await t.createTask({ task: null });
    const other = await t.createTask({ task: null });
    const ask = (query?: Record<string, number>) => t.send('listTasks', query ? { query } : {});
    const all = await readUntil(
      t,
      () => ask({ l: LONGEST_LIST }),
      (response) =>
        listedTask(response, one.id) !== undefined && listedTask(response, other.id) !== undefined,
    );
    mustSucceed(t, 'TASK-15', all, `GET /task?l=${LONGEST_LIST}`);
    if (
      !t.expect(
        'TASK-15',
        Array.isArray(all.r),
        `GET /task: expected an array in r, got ${summarize(all)}`,
        all,
      )
    )
      return;
    const tasks = all.r as unknown[];
    for (const { id } of [one, other]) {
      const found = listedTask(all, id);
      // Where the list is full the two may be beyond its end: its order is open.
      if (found === undefined && tasks.length >= LONGEST_LIST) continue;
      t.expect(
        'TASK-15',
        typeof field(found, 'status') === 'string',
        `GET /task: expected the task "${id}", which was just made, with its id and status, got ${summarize(all)}`,
        all,
      );
    }
    const short = [await ask({ l: 1 }), await ask({ l: 2 }), await ask()];
    for (const [i, most] of [1, 2, 32].entries()) {
      const response = short[i]!;
      mustFollow(t, 'LIMIT-01', response, `GET /task with room for ${most}`);
      const { r } = response;
      t.expect(
        'LIMIT-01',
        Array.isArray(r) && r.length <= most && r.length > 0,
        `GET /task${most === 32 ? '' : `?l=${most}`} where there are ${tasks.length}: expected 1 to ${most} tasks, got ${Array.isArray(r) ? `${r.length}` : summarize(response)}`,
        all,
        response,
      );
    }
    await agrees(t, one);
    const paged = await ask({ t: Math.floor(t.now() / 1000), l: 2 });
    t.expect(
      'TASK-15',
      paged.ok && Array.isArray(paged.r),
      `GET /task with an integer t: expected an array, got ${summarize(paged)}`,
      paged,
    );
  },
};

/** A task that is over has the same status in the list and in a poll. */
async function agrees(t: TestContext, task: TaskHandle): Promise<void> {
  const cancelled = await t.cancel(task);
  if (!cancelled.ok || !(await t.pollUntilEnd(task))) return;
  const shows = (response: ApiResponse) => field(listedTask(response, task.id), 'status') === task.status;
  const listed = await readUntil(t, () => t.send('listTasks', { query: { l: LONGEST_LIST } }), shows);
  if (listed.ok && listedTask(listed, task.id) === undefined) return;
  t.expect(
    'TASK-15',
    shows(listed),
    `GET /task: expected the task "${task.id}" to be ${task.status} as in a poll, got ${JSON.stringify(field(listedTask(listed, task.id), 'status') ?? summarize(listed))}`,
    task.last,
    listed,
  );
}

const visibility: TestCase = {
  id: 'resources/task-visibility',
  title: 'The visibility of a task is read, set, remembered and set back',
  covers: ['TASK-19', 'TASK-20'],
  operations: ['createTask', 'getTaskVisibility', 'setTaskVisibility', 'deleteTask'],
  tasks: 2,
  async run(t: TestContext) {
    const [task, other] = [await t.createTask({ task: null }), await t.createTask({ task: null })];
    const read = (id = task.id) => t.send('getTaskVisibility', { path: { task_id: id } });
    const before = await read();
    mustSucceed(t, 'TASK-19', before, 'GET /task/{task_id}/visibility');
    const others = await read(other.id);
    const set = (value: boolean) =>
      t.send('setTaskVisibility', { path: { task_id: task.id }, query: { visibility: value } });
    const first = before.r !== true;
    for (const value of [first, !first]) {
      const changed = await set(value);
      mustFollow(t, 'TASK-20', changed, `POST /task/{task_id}/visibility?visibility=${value}`);
      const after = await readUntil(
        t,
        () => read(),
        ({ r }) => r === value,
      );
      t.expect(
        'TASK-19',
        typeof after.r === 'boolean',
        `GET /task/{task_id}/visibility: expected r to be true or false, got ${summarize(after)}`,
        before,
        after,
      );
      t.expect(
        'TASK-20',
        typeof changed.r === 'boolean' && after.r === value,
        `POST /task/{task_id}/visibility?visibility=${value}: expected true or false and to read ${value} then, got ${summarize(changed)} and ${summarize(after)}`,
        changed,
        after,
      );
      if (value !== first) continue;
      const untouched = await read(other.id);
      if (untouched.r !== others.r)
        t.fail(
          'TASK-20',
          `the visibility of another task changed too: it was ${summarize(others)} and is ${summarize(untouched)}`,
          changed,
          untouched,
        );
    }
    for (const each of [task, other]) await t.cancel(each);
  },
};

const data: TestCase = {
  id: 'resources/task-data',
  title: 'All that is kept about a task that is over is deleted on demand, and nothing of another one',
  covers: ['TASK-21'],
  operations: ['createTask', 'getTask', 'deleteTask', 'deleteTaskData', 'listTasks'],
  tasks: 2,
  async run(t: TestContext) {
    const task = await t.createTask({ task: textFor(t.settings, 'one-shot') });
    const other = await t.createTask({ task: null });
    if (!(await t.pollUntilEnd(task))) {
      await t.cancel(task);
      if (!(await t.pollUntilEnd(task))) t.inconclusive('the task did not come to an end, so its data stay');
    }
    const kept = await t.poll(task, 0);
    mustFollow(t, 'TASK-21', kept, 'GET of a task that is over');
    const deleted = await t.send('deleteTaskData', { path: { task_id: task.id } });
    mustFollow(t, 'TASK-21', deleted, `DELETE /task/{task_id}/data of a task that is ${task.status}`);
    t.expect(
      'TASK-21',
      typeof deleted.r === 'boolean',
      `DELETE /task/{task_id}/data: expected r to be true or false, got ${summarize(deleted)}`,
      deleted,
    );
    const after = await readUntil(
      t,
      () => t.send('getTask', { path: { task_id: task.id } }),
      (response) => left(response, kept).length === 0,
    );
    const remains = left(after, kept);
    t.expect(
      'TASK-21',
      remains.length === 0,
      `GET /task/{task_id} after its data were deleted: expected nothing of it, got ${remains.join(', ')} in ${summarize(after)}`,
      kept,
      deleted,
      after,
    );
    const untouched = await t.poll(other, 0);
    if (!untouched.ok)
      t.fail(
        'TASK-21',
        `the data of another task went too: it was there and is now ${summarize(untouched)}`,
        other.created,
        deleted,
        untouched,
      );
    await t.cancel(other);
  },
};

/**
 * Fields that hold what a task brought about, as far as they are still as they were. An address may stay: it tells nothing
 * of what it leads to.
 */
function left(response: ApiResponse, before: ApiResponse): string[] {
  if (!response.ok) return [];
  return ['output', 'events'].filter((name) => {
    const now = field(response.r, name);
    const isEmpty =
      now === undefined || now === null || now === '' || (Array.isArray(now) && now.length === 0);
    return !isEmpty && JSON.stringify(now) === JSON.stringify(field(before.r, name));
  });
}

const update: TestCase = {
  id: 'resources/task-update',
  title: 'The deprecated update of a task takes the reply to a tool call',
  covers: ['TASK-18', 'VERSION-04'],
  operations: ['createTask', 'getTask', 'updateTask'],
  tasks: 1,
  async run(t: TestContext) {
    const text: Purpose = 'tool-call';
    const task = await t.createTask({
      task: textFor(t.settings, text),
      custom_tools: [toolFor(t.settings, 'get_weather')],
    });
    const call = await t.nextToolCall(task);
    if (!call)
      t.inconclusive(`the agent called no tool for the text "${t.settings.texts[text] ?? TEXTS[text]}"`);
    const output = JSON.stringify({ temp_c: 21 });
    const tool_response = { id: call.id, code: 200, output };
    const put = (body: unknown) => t.send('updateTask', { path: { task_id: task.id }, body });
    let updated = await put({ tool_response });
    if (updated.status === 400 || updated.status === 422)
      updated = await put({ ...tool_response, tool_response });
    expectServed(t, updated, 'PUT /task/{task_id} for a call that waits');
    if (updated.status >= 500 && updated.status !== 501 && updated.status !== 503)
      t.fail('TASK-18', `PUT /task/{task_id}: expected a boolean, got ${summarize(updated)}`, updated);
    if (!updated.ok)
      t.inconclusive(
        `PUT /task/{task_id} takes no tool_response of id, code and output: ${summarize(updated)}`,
      );
    t.expect(
      'TASK-18',
      typeof updated.r === 'boolean',
      `PUT /task/{task_id}: expected r to be true or false, got ${summarize(updated)}`,
      updated,
    );
    t.expect('VERSION-04', true, '', updated);
    await t.cancel(task);
  },
};

export const taskCases: readonly TestCase[] = [list, visibility, data, update];
