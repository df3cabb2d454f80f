import { asFields, field, show } from '../../../conversation/json.js';
import type { ApiResponse } from '../../http-client/response.js';
import { isActive, summarize } from '../../test-case/read-task.js';
import { expectEnd } from '../../test-case/task-steps.js';
import type { TaskHandle, TestCase } from '../../test-case/test-case.js';
import type { TestContext } from '../../test-case/test-context.js';
import { textFor } from '../../test-case/texts.js';

/** The longest list that can be asked for. Section "Limits". */
const LONGEST = 128;
/** A list may take so many tries to show what is new. */
const TRIES = 5;

const listed: TestCase = {
  id: 'polling/list-tells-the-same',
  title: 'The list of tasks has a task with the status that polls have',
  covers: ['TASK-15', 'TASK-01', 'TASK-02', 'TASK-05'],
  operations: ['createTask', 'getTask', 'listTasks', 'deleteTask'],
  tasks: 2,
  async run(t) {
    const session = await t.createTask({ task: null });
    const task = await t.createTask({ task: textFor(t.settings, 'one-shot') });
    await t.pollUntil(session, ({ status }) => status === 'running');
    await holdsInList(t, session);
    if (await expectEnd(t, task)) await holdsInList(t, task);
    const cancelled = await t.cancel(session);
    if (!cancelled.ok) return;
    if (await t.pollUntilEnd(session)) await holdsInList(t, session);
  },
};

async function holdsInList(t: TestContext, task: TaskHandle): Promise<void> {
  const wanted = task.status;
  let found: Record<string, unknown> | undefined;
  let response: ApiResponse | undefined;
  for (let tries = 0; tries < TRIES; tries++) {
    if (tries > 0) await t.sleep(t.settings.pollIntervalMs * 2 ** tries);
    response = await t.send('listTasks', { query: { l: LONGEST } });
    const list: unknown[] | undefined = Array.isArray(response.r) ? response.r : undefined;
    const taken = `expected a list of tasks, got ${summarize(response)}`;
    if (!t.expect('TASK-15', list !== undefined, taken, response)) return;
    found = asFields(list!.find((each) => field(each, 'id') === task.id));
    await namesTasks(t, list!, response);
    // A full list need not hold it, depending on where it begins.
    if (!found && list!.length >= LONGEST) return;
    if (found?.status === wanted) break;
  }
  const shown = [task.last, response!];
  const there = `expected the task ${show(task.id)} in the list, got ${summarize(response!)}`;
  if (!t.expect('TASK-15', found !== undefined, there, ...shown)) return;
  const same = isActive(wanted) ? isActive(String(found!.status)) : found!.status === wanted;
  const message = `expected the task ${show(task.id)} to be listed as ${wanted}, as polls show it, got ${show(found!.status)}`;
  t.expect('TASK-02', same, message, ...shown);
}

/** The id that a list gives to a task is the one by which it is found. */
async function namesTasks(t: TestContext, list: readonly unknown[], listed: ApiResponse): Promise<void> {
  const id = field(list[0], 'id');
  if (typeof id !== 'string' || id === '') return;
  const response = await t.send('getTask', { path: { task_id: id } });
  const message = `the list has a task with the id ${show(id)}: expected it to be found by that, got ${summarize(response)}`;
  t.expect('TASK-01', response.status !== 404, message, listed, response);
}

export const listCases: readonly TestCase[] = [listed];
